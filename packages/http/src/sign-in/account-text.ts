import { textOf } from '../keys/by.js';
import { foldedText } from '../keys/folded-text.js';

/** The account of all values that are not strings. */
const NO_TEXT = '(no text)';

/**
 * An account as sign-ins compare it: without the blanks around it, in one case, in the compatibility form of Unicode.
 * Two accounts that differ in nothing else share their budgets, which is safe: the reverse would give guesses of one
 * account several budgets. Undefined for a request without an account.
 *
 * A client can send `["ada"]` for `ada`, and a sign-in may accept it. All such values are one account: as no account
 * they would have a budget of guesses for each address, and as accounts of their own a budget for each value.
 */
export function accountText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === false) return undefined;
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const text = textOf(value);
  return text === undefined ? NO_TEXT : foldedText(text);
}
