import {
  ConfigError,
  identityText,
  isKeyFactory,
  isPromise,
  type Key,
  type KeyFunction,
  type MaybePromise,
  show,
} from '@sluice/core/internal';

/**
 * Identifies by several identities together, such as address and account: each combination has a budget of its own.
 * Kind `composed`.
 *
 * @throws ConfigError KEY_INVALID
 * @example compose(byIp(), by('account', (request) => request.body?.account))
 */
export function compose<S>(...keys: readonly KeyFunction<S>[]): KeyFunction<S> {
  const wrong = keys.findIndex((key) => typeof key !== 'function');
  if (keys.length < 2 || wrong >= 0) {
    const value = wrong >= 0 ? keys[wrong] : keys;
    throw new ConfigError(
      'KEY_INVALID',
      'keys',
      value,
      `compose: keys must be two functions of the subject or more, got ${show(value)}`,
    );
  }
  const factory = keys.findIndex((key) => isKeyFactory(key));
  if (factory >= 0) {
    const { name } = keys[factory]!;
    const message = `compose: keys[${factory}] must be what ${name} returns: write ${name}()`;
    throw new ConfigError('KEY_INVALID', `keys[${factory}]`, undefined, message);
  }
  // Without `bounds`: a client with one address has a new budget for each other identity.
  const key = (subject: S): MaybePromise<Key> => {
    const found = keys.map((each) => identify(each, subject));
    return found.some((each) => isPromise(each)) ? Promise.all(found).then(joined) : joined(found);
  };
  return Object.assign(key, { kinds: ['composed'] });
}

/** An error becomes a rejection, so that `Promise.all` also handles the promises of the other functions. */
function identify<S>(key: KeyFunction<S>, subject: S): MaybePromise<Key> {
  try {
    return key(subject);
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
