import {
  FUNCTION,
  type Key,
  keyFactory,
  type KeyFunction,
  type MaybePromise,
  type OptionRows,
  readOptions,
  type CombinationRule,
} from '@sluice/core/internal';
import { headerOf, type HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { HEADER_ROW } from './header.js';
import { identifyBy, ofKind, OTHERWISE_ROWS, otherwiseOf, type Otherwise } from './otherwise.js';
import { warnOfUnusable } from './unusable-identity.js';

export interface ApiKeyOptions<S> extends Otherwise<S> {
  /**
   * The header of the key. In `authorization` the scheme before the key is left out, whatever it is.
   *
   * @default 'x-api-key'
   */
  header?: string;
  /** The query field of the key, for requests without the header. @default none */
  query?: string;
  /**
   * Reads the account of the key, where your own code has verified it. The kind is then `account`, as of
   * `by('account', …)`. Excludes `header` and `query`.
   *
   * @default the key as the client presents it
   */
  from?: (subject: S) => MaybePromise<unknown>;
}

export const API_KEY_ROWS = {
  header: HEADER_ROW,
  query: { is: /./s, words: 'the name of a field' },
  from: FUNCTION,
  ...OTHERWISE_ROWS,
} as const satisfies OptionRows;
const READS_ALONE = 'must stand without header and query';
export const API_KEY_RULES: readonly CombinationRule[] = [
  { option: 'from', beside: 'header', rule: READS_ALONE },
  { option: 'from', beside: 'query', rule: READS_ALONE },
];

/**
 * Identifies a client by its API key. A presented key that nothing has verified is free to make up: have a tier with
 * `byIp()` too. Kind `api-key`; with `from` kind `account`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 * @example { name: 'key-hour', key: byApiKey({ header: 'authorization' }), limit: 5_000, window: '1h' }
 */
export const byApiKey = /* @__PURE__ */ keyFactory(function byApiKey<S extends HttpRequest>(
  options: ApiKeyOptions<S> = {},
): KeyFunction<S> {
  readOptions('byApiKey', options, API_KEY_ROWS, API_KEY_RULES);
  const { header = 'x-api-key', query, from } = options;
  const otherwise = otherwiseOf(options);
  const name = header.toLowerCase();
  if (from)
    return identifyBy({ owner: 'byApiKey', kind: 'account', read: from, identityOf: identityOfAccount }, otherwise);
  const presented = (subject: S) =>
    identityOf(textOf(credentials(name, headerOf(subject, name))) ?? field(subject, query)) ?? otherwise(subject);
  return ofKind(Object.assign(presented, { bounds: 'presented' as const }), 'api-key', otherwise);
});

function identityOf(value: unknown): Key | undefined {
  const key = textOf(value);
  return key === undefined ? undefined : { kind: 'api-key', parts: [key] };
}

/** A kind of its own: an operator finds a client by the name of its account, and not by a key that it presents. */
function identityOfAccount(value: unknown): Key | undefined {
  const account = textOf(value);
  if (account !== undefined) return { kind: 'account', parts: [account] };
  warnOfUnusable('byApiKey', value);
  return undefined;
}

/** The part after the scheme: `Bearer k` and `bearer  k` are one key. */
function credentials(name: string, value: string | undefined): string | undefined {
  if (name !== 'authorization' || value === undefined) return value;
  const text = value.trim();
  const scheme = text.search(/\s/);
  return scheme < 0 ? text : text.slice(scheme).trim();
}

function field(subject: HttpRequest, name: string | undefined): unknown {
  // Express parses the query each time it is read.
  if (name === undefined) return undefined;
  const { query } = subject;
  if (typeof query !== 'object' || query === null || !Object.hasOwn(query, name)) return undefined;
  return (query as Record<string, unknown>)[name];
}
