import {
  identityText,
  isPromise,
  type Key,
  keyFactory,
  type KeyFunction,
  type MaybePromise,
  OptionReader,
  type OptionRows,
} from '@sluice/core/internal';

const KEY_ROW = { code: 'KEY_INVALID', is: 'function', words: 'a function of the subject', required: true } as const;
export const COMPOSE_ROWS = {
  keys: {
    code: 'KEY_INVALID',
    is: (keys) => Array.isArray(keys) && keys.length >= 2,
    words: 'two functions of the subject or more',
  },
} as const satisfies OptionRows;

/**
 * Identifies by several identities together, such as address and account: each combination has a budget of its own.
 * Kind `composed`.
 *
 * @throws ConfigError KEY_INVALID
 * @example compose(byIp(), by('account', (request) => request.body?.account))
 */
export const compose = /* @__PURE__ */ keyFactory(function compose<S>(
  ...keys: readonly KeyFunction<S>[]
): KeyFunction<S> {
  const reader = new OptionReader('compose', { keys }, COMPOSE_ROWS);
  reader.read(COMPOSE_ROWS);
  for (const index of keys.keys()) reader.item('keys', index, KEY_ROW);
  // Without `bounds`: a client with one address has a new budget for each other identity.
  const key = (subject: S): MaybePromise<Key> => {
    const found = keys.map((each) => called(each, subject));
    return found.some((each) => isPromise(each)) ? Promise.all(found).then(joined) : joined(found);
  };
  return Object.assign(key, { kinds: ['composed'] });
}, 'compose(byIp(), …)');

/** An error becomes a rejection, so that `Promise.all` also handles the promises of the other functions. */
export function called<S, T>(call: (subject: S) => MaybePromise<T>, subject: S): MaybePromise<T> {
  try {
    return call(subject);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** The identity of several ones together. */
export function joined(found: readonly unknown[]): Key {
  const parts: string[] = [];
  for (const each of found) {
    const text = identityText(each);
    // An invalid key is returned as it is: the limiter's error names the tier.
    if (text === undefined) return each as Key;
    parts.push(text);
  }
  return { kind: 'composed', parts };
}
