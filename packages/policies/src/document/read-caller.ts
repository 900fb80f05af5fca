import type { KeyFunction } from '@sluice/core';
import type { OptionReader } from '@sluice/http/adapter';
import type { DocumentContext } from './document-context.js';
import { keyNames, keyOf } from './key-names.js';

/** What the option `by` of a map tells the callers of a key apart by, by its name. @throws ConfigError */
export function readCaller<S>(options: OptionReader, { keys, takesAnyName }: DocumentContext<S>): KeyFunction<S> {
  const isKnown = (name: unknown) =>
    typeof name === 'string' && (keyOf(name, keys) !== undefined || (takesAnyName === true && name !== ''));
  const words = `one of ${keyNames(keys).join(', ')}: give openPolicies other functions as keys`;
  const name = options.one('by', { is: isKnown, words, required: true }) as string;
  return keyOf(name, keys) ?? (() => name);
}
