import {
  type Key,
  keyFactory,
  type KeyFunction,
  type MaybePromise,
  type OptionRow,
  readOptions,
} from '@sluice/core/internal';
import { headerOf, type HttpRequest } from '../request/request.js';
import { textOf } from './by.js';
import { ofKind, OTHERWISE_ROWS, otherwiseOf, type Otherwise } from './otherwise.js';

export const HEADER_ROW = {
  code: 'KEY_INVALID',
  is: isHeaderName,
  words: 'the name of a header',
} as const satisfies OptionRow;
export const HEADER_ROWS = { header: { ...HEADER_ROW, required: true } } as const;

/**
 * Identifies by a header that a proxy sets and that clients cannot set, such as the name of a tenant. Kind `header`.
 *
 * @throws ConfigError KEY_INVALID, OPTION_INVALID, OPTION_UNKNOWN
 * @example byHeader('x-tenant')
 */
export const byHeader = /* @__PURE__ */ keyFactory(function byHeader<S extends HttpRequest>(
  header: string,
  options: Otherwise<S> = {},
): KeyFunction<S> {
  readOptions('byHeader', options, OTHERWISE_ROWS);
  readOptions('byHeader', { header }, HEADER_ROWS);
  const name = header.toLowerCase();
  const otherwise = otherwiseOf(options);
  const key = (subject: S): MaybePromise<Key> => {
    const value = textOf(headerOf(subject, name));
    return value === undefined ? otherwise(subject) : { kind: 'header', parts: [name, value] };
  };
  return ofKind(key, 'header', otherwise);
}, "byHeader('x-tenant')");

export function isHeaderName(header: unknown): header is string {
  return typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(header);
}
