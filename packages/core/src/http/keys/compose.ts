import { ConfigError } from '../../model/errors.js';
import { identityText, isKey, type Key } from '../../model/identity.js';
import { isPromise } from '../../async/maybe-promise.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { passageOf } from '../passage.js';
import { show } from '../../options/option-reader.js';

/**
 * Identifies by several identities together, such as address and account: each pair has a budget of its own. Kind
 * `composed`.
 *
 * @throws ConfigError KEY_INVALID
 */
export function compose<S>(...keys: readonly ((subject: S) => MaybePromise<Key>)[]): (subject: S) => MaybePromise<Key> {
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
  return (subject) => {
    const passage = passageOf(subject);
    const before = passage?.countsAddress;
    const found = keys.map((key) => attempt(key, subject));
    // An address bounds nothing in a combination: with another key beside it there is another budget.
    if (passage && !before) passage.countsAddress = false;
    return found.some((each) => isPromise(each)) ? Promise.all(found).then(joined) : joined(found as Key[]);
  };
}

/** What one function throws must not leave the promise of another without anybody who waits for it. */
function attempt<S>(key: (subject: S) => MaybePromise<Key>, subject: S): MaybePromise<Key> {
  try {
    return key(subject);
  } catch (error) {
    return Promise.reject(error);
  }
}

function joined(found: readonly Key[]): Key {
  // The limiter says of what is no key whose it is.
  const wrong = found.findIndex((each) => !isKey(each));
  return wrong >= 0 ? found[wrong]! : { kind: 'composed', parts: found.map(identityText) };
}
