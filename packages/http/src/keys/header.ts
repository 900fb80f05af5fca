import { ConfigError, type Key, type KeyFunction, type MaybePromise, show } from '@sluice/core/internal';
import { headerOf, type HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { readIdentityOptions } from './identity-options.js';
import { ofKind, otherwiseOf, type Otherwise } from './otherwise.js';

/**
 * Identifies by a header that a proxy sets and that clients cannot set, such as the name of a tenant. Kind `header`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 * @example byHeader('x-tenant')
 */
export function byHeader<S extends HttpRequest>(header: string, options: Otherwise<S> = {}): KeyFunction<S> {
  const name = headerName('byHeader', header);
  const otherwise = otherwiseOf(readIdentityOptions('byHeader', options, ['otherwise']), options);
  const key = (subject: S): MaybePromise<Key> => {
    const value = textOf(headerOf(subject, name));
    return value === undefined ? otherwise(subject) : { kind: 'header', parts: [name, value] };
  };
  return ofKind(key, 'header', otherwise);
}

/** The name in lower case, as Node has it. @throws ConfigError KEY_INVALID for a string that cannot name a header */
export function headerName(owner: string, header: unknown): string {
  if (isHeaderName(header)) return header.toLowerCase();
  throw new ConfigError(
    'KEY_INVALID',
    'header',
    header,
    `${owner}: header must be the name of a header, got ${show(header)}`,
  );
}

export function isHeaderName(header: unknown): header is string {
  return typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header);
}
