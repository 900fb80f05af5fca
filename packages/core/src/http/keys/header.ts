import { ConfigError } from '../../model/errors.js';
import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { show } from '../../options/option-reader.js';
import { headerOf, type HttpRequest } from '../request.js';
import { otherwiseOf, textOf, type Otherwise } from './by.js';
import { readIdentityOptions } from './identity-options.js';

/**
 * Identifies by a header that something in front of the application sets and that clients cannot set, such as the name
 * of a tenant. Kind `header`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 */
export function byHeader<S extends HttpRequest>(
  header: string,
  options: Otherwise<S> = {},
): (subject: S) => MaybePromise<Key> {
  const name = headerName('byHeader', header);
  const otherwise = otherwiseOf(readIdentityOptions('byHeader', options, ['otherwise']), options);
  return (subject) => {
    const value = textOf(headerOf(subject, name));
    return value === undefined ? otherwise(subject) : { kind: 'header', parts: [name, value] };
  };
}

/** @throws ConfigError KEY_INVALID for what no header can be called */
export function headerName(owner: string, header: unknown): string {
  if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header)) return header.toLowerCase();
  throw new ConfigError(
    'KEY_INVALID',
    'header',
    header,
    `${owner}: header must be the name of a header, got ${show(header)}`,
  );
}
