import { keyFactory, type KeyFunction, type MaybePromise, type OptionRows, readOptions } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import { READ_ROWS, textOf } from './by.js';
import { digitsIn } from './digits-in.js';
import { foldedText } from './folded-text.js';
import { identifyBy } from './otherwise.js';

/** The options of `byTarget`. */
export interface TargetOptions {
  /**
   * How two spellings of a target are compared. `'text'`: without blanks around them, without characters that nobody sees,
   * in one case and in the compatibility form of Unicode. `'digits'`: by their digits alone, in any script, for phone
   * numbers.
   *
   * @default 'text'
   */
  as?: 'text' | 'digits';
}

export const TARGET_ROWS = { as: { oneOf: ['text', 'digits'], otherwise: 'text' } } as const satisfies OptionRows;

/** No text has two parts, so that no value of a client is this one. */
const UNREADABLE: readonly string[] = ['unreadable', 'target'];
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Identifies by what a request acts on, such as the phone number or the e-mail address that gets a code, to protect it from
 * all senders together. All values that are missing or cannot be read are **one** target: a sender who writes one cannot get
 * a budget of its own for it. Have a tier with `byIp()` too, which bounds the targets of a sender.
 *
 * @param kind separates these identities from all others
 * @param read returns the target as the client has sent it
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 * @example byTarget('phone', (request) => request.body?.phone, { as: 'digits' })
 */
export const byTarget = /* @__PURE__ */ keyFactory(function byTarget<S extends HttpRequest>(
  kind: string,
  read: (subject: S) => MaybePromise<unknown>,
  options: TargetOptions = {},
): KeyFunction<S> {
  const { as } = readOptions('byTarget', options, TARGET_ROWS);
  readOptions('byTarget', { kind, read }, READ_ROWS);
  const identityOf = (value: unknown) => {
    const text = targetText(value, as);
    return text === '' ? undefined : { kind, parts: [text] };
  };
  const shared: KeyFunction<S> = Object.assign(() => ({ kind, parts: UNREADABLE }), { kinds: [] });
  const instead = 'all clients share one budget';
  return identifyBy({ owner: `byTarget('${kind}')`, kind, read, identityOf, instead }, shared);
}, "byTarget('phone', (request) => …)");

/** Empty for a value that is no target. */
function targetText(value: unknown, as: 'text' | 'digits'): string {
  const text = textOf(value) ?? '';
  return as === 'digits' ? digitsIn(text) : foldedText(text.replace(INVISIBLE, ''));
}
