// keys/ has the identities that a request can be counted by: address, API key, token, session, header, route. Requests
// enter, and identities leave. It imports request, visits and networks.
import { keyFactory, type KeyFunction, type MaybePromise, type OptionRows, readOptions } from '@sluice/core/internal';
import type { HttpRequest } from '../request/request.js';
import { identifyBy, OTHERWISE_ROWS, otherwiseOf, type Otherwise } from './otherwise.js';
import { warnOfUnusable } from './unusable-identity.js';

/** Clients choose the length of an identity, and a longer one takes longer to hash. */
const MAX_IDENTITY_LENGTH = 512;

/** A kind, and a function that reads an identity of it. */
export const READ_ROWS = {
  kind: { code: 'KEY_INVALID', is: /./s, words: 'a non-empty text', required: true },
  read: { code: 'KEY_INVALID', is: 'function', words: 'a function of the subject', required: true },
} as const satisfies OptionRows;

/**
 * Identifies by a string that a function reads, such as an account. Text of 1 to 512 characters and whole numbers are
 * identities; for anything else `otherwise` applies, and an object gives a warning. Two spellings are two identities:
 * normalize yours, such as the case of an e-mail address.
 *
 * @param kind separates these identities from all others
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 * @example by('account', (request) => request.body?.email?.toLowerCase())
 */
export const by = /* @__PURE__ */ keyFactory(function by<S extends HttpRequest>(
  kind: string,
  read: (subject: S) => MaybePromise<unknown>,
  options: Otherwise<S> = {},
): KeyFunction<S> {
  readOptions('by', options, OTHERWISE_ROWS);
  readOptions('by', { kind, read }, READ_ROWS);
  const otherwise = otherwiseOf(options);
  const owner = `by('${kind}')`;
  const identityOf = (value: unknown) => {
    const text = textOf(value);
    if (text !== undefined) return { kind, parts: [text] };
    warnOfUnusable(owner, value);
    return undefined;
  };
  return identifyBy({ owner, kind, read, identityOf }, otherwise);
}, "by('account', (request) => …)");

/** A value as the text of an identity. Undefined for anything else: clients also send arrays and objects. */
export function textOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) || typeof value === 'bigint' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= MAX_IDENTITY_LENGTH ? text : undefined;
}
