import { ConfigError, type KeyFunction, type MaybePromise, show } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { digitsIn } from './digits-in.js';
import { foldedText } from './folded-text.js';
import { readIdentityOptions } from './identity-options.js';
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
export function byTarget<S extends HttpRequest>(
  kind: string,
  read: (subject: S) => MaybePromise<unknown>,
  options: TargetOptions = {},
): KeyFunction<S> {
  if (typeof kind !== 'string' || kind === '') {
    throw new ConfigError('KEY_INVALID', 'kind', kind, `byTarget: kind must be a non-empty text, got ${show(kind)}`);
  }
  if (typeof read !== 'function') {
    const rule = 'byTarget: read must be a function of the subject';
    throw new ConfigError('KEY_INVALID', 'read', read, `${rule}, got ${show(read)}`);
  }
  const reader = readIdentityOptions('byTarget', options, ['as']);
  const { as = 'text' } = options;
  if (as !== 'text' && as !== 'digits') throw reader.fail('OPTION_INVALID', 'as', "must be 'text' or 'digits'");
  const identityOf = (value: unknown) => {
    const text = targetText(value, as);
    return text === '' ? undefined : { kind, parts: [text] };
  };
  const shared: KeyFunction<S> = Object.assign(() => ({ kind, parts: UNREADABLE }), { kinds: [] });
  const instead = 'all clients share one budget';
  return identifyBy({ owner: `byTarget('${kind}')`, kind, read, identityOf, instead }, shared);
}

/** Empty for a value that is no target. */
function targetText(value: unknown, as: 'text' | 'digits'): string {
  const text = textOf(value) ?? '';
  return as === 'digits' ? digitsIn(text) : foldedText(text.replace(INVISIBLE, ''));
}
