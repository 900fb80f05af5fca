import { UsageError } from '../../model/errors.js';
import { kindOf } from '../../options/show.js';

/** An error message may quote the results of these functions: all others may return an identity. */
const QUOTABLE: ReadonlySet<string> = new Set(['limit', 'cost', 'fair.weight']);

/** NaN comes from a value that was not there, such as a header that most clients do not send. */
const NOT_A_NUMBER = ': what it reads is missing, or is no number';

/** The error for a function that returned nonsense. */
export function invalidResult(owner: string, name: string, rule: string, value: unknown): UsageError {
  const shown = typeof value === 'number' && QUOTABLE.has(name) ? String(value) : kindOf(value);
  const hint = Number.isNaN(value) ? NOT_A_NUMBER : '';
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}${hint}`);
}

/** @throws UsageError: a key function has returned what is no identity */
export function refuseIdentity({ owner }: { readonly owner: string }, identity: unknown): never {
  throw invalidResult(owner, 'key', 'a non-empty text, a whole number or an identity', identity);
}
