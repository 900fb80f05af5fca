import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/chain.js';
import { ConfigError } from '../../model/errors.js';
import { show, type OptionReader } from '../../options/option-reader.js';
import type { HttpRequest } from '../request.js';
import { readIdentityOptions } from './identity-options.js';
import { byIp } from './ip.js';

export interface Otherwise<S> {
  /**
   * Identifies a subject that has no such identity: a missing one is never "no limit".
   *
   * @default byIp()
   */
  otherwise?: (subject: S) => MaybePromise<Key>;
}

/** Nobody's name is longer, and hashing what a client makes longer is work that it can order. */
const LONGEST = 512;

/**
 * Identifies by a text that a function reads, such as an account: `by('account', (request) => request.body?.email)`. What
 * is no text of 1 to 512 characters, and no whole number, is no identity, and `otherwise` is asked. Two spellings are two
 * identities: what your application takes for one, such as an address of e-mail in any case, has to come in one spelling.
 *
 * @param kind keeps these identities apart from all others
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export function by<S extends HttpRequest>(
  kind: string,
  read: (subject: S) => MaybePromise<unknown>,
  options: Otherwise<S> = {},
): (subject: S) => MaybePromise<Key> {
  if (typeof kind !== 'string' || kind === '') {
    throw new ConfigError('KEY_INVALID', 'kind', kind, `by: kind must be a non-empty text, got ${show(kind)}`);
  }
  if (typeof read !== 'function') {
    throw new ConfigError('KEY_INVALID', 'read', read, `by: read must be a function of the subject, got ${show(read)}`);
  }
  const otherwise = otherwiseOf(readIdentityOptions('by', options, ['otherwise']), options);
  return (subject) =>
    chain(read(subject), (value) => {
      const text = textOf(value);
      return text === undefined ? otherwise(subject) : { kind, parts: [text] };
    });
}

/** @throws ConfigError OPTION_INVALID */
export function otherwiseOf<S extends HttpRequest>(
  reader: OptionReader,
  options: Otherwise<S>,
): (subject: S) => MaybePromise<Key> {
  return reader.function('otherwise', options.otherwise) ?? byIp();
}

/** The text that identifies, or undefined for what identifies nobody: clients send arrays and objects as well. */
export function textOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= LONGEST ? text : undefined;
}
