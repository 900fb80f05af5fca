import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/chain.js';
import { passageOf } from '../passage.js';
import { headerOf, type HttpRequest } from '../request.js';
import { otherwiseOf, textOf, type Otherwise } from './by.js';
import { headerName } from './header.js';
import { readIdentityOptions } from './identity-options.js';

export interface ApiKeyOptions<S> extends Otherwise<S> {
  /**
   * The header that the key comes in. Of `authorization` the scheme is left out, whatever it is and however it is spelt.
   *
   * @default 'x-api-key'
   */
  header?: string;
  /** The field of the query that the key comes in where the header has none. @default none */
  query?: string;
  /**
   * Reads the key, or better the account that it belongs to, where your own code has verified it. Instead of `header`
   * and `query`.
   */
  from?: (subject: S) => MaybePromise<unknown>;
}

/**
 * Identifies by an API key. A key that was presented and not verified is free to make up: have a tier by IP beside it.
 * Kind `api-key`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export function byApiKey<S extends HttpRequest>(options: ApiKeyOptions<S> = {}): (subject: S) => MaybePromise<Key> {
  const reader = readIdentityOptions('byApiKey', options, ['header', 'query', 'from', 'otherwise']);
  const otherwise = otherwiseOf(reader, options);
  const from = reader.function('from', options.from);
  if (from && (reader.has('header') || reader.has('query'))) {
    throw reader.fail('OPTION_INVALID', 'from', 'must stand without header and query');
  }
  const { header = 'x-api-key', query } = options;
  const name = headerName('byApiKey', header);
  if (query !== undefined && (typeof query !== 'string' || query === '')) {
    throw reader.fail('OPTION_INVALID', 'query', 'must be the name of a field');
  }
  const identify = (subject: S, key: string | undefined) =>
    key === undefined ? otherwise(subject) : { kind: 'api-key', parts: [key] };

  if (from) return (subject) => chain(from(subject), (key) => identify(subject, textOf(key)));
  return (subject) => {
    const key = textOf(credentials(name, headerOf(subject, name))) ?? textOf(field(subject, query));
    const passage = key === undefined ? undefined : passageOf(subject);
    if (passage) passage.countsPresentedKey = true;
    return identify(subject, key);
  };
}

/** What follows the scheme: `Bearer k` and `bearer  k` are one key. */
function credentials(name: string, value: string | undefined): string | undefined {
  if (name !== 'authorization' || value === undefined) return value;
  const [, key = value] = /^\s*\S+\s+(.+)$/.exec(value) ?? [];
  return key.trim();
}

function field(subject: HttpRequest, name: string | undefined): unknown {
  if (name === undefined) return undefined;
  // Express parses the query whenever somebody looks at it.
  const { query } = subject;
  if (typeof query !== 'object' || query === null || !Object.hasOwn(query, name)) return undefined;
  return (query as Record<string, unknown>)[name];
}
