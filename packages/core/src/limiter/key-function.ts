import type { Key } from '../model/identity.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { processWide } from '../model/process-wide.js';

/**
 * How many identities one client can have. `address`: as many as it has addresses. `presented`: as many as it makes up,
 * because nothing has verified them.
 */
export type KeyBounds = 'address' | 'presented';

/** Returns the identity of a subject. */
export interface KeyFunction<S> {
  (subject: S): MaybePromise<Key>;
  /** A gate warns of a request that is counted by `presented` identities and by no `address`. */
  readonly bounds?: KeyBounds;
  /** The kinds of its identities, for tools. Absent where only the application knows them. */
  readonly kinds?: readonly string[];
}

const factories = processWide('key-factories', () => new WeakSet<object>());

/** Marks a function that returns a key function, so that `key: byIp` without a call is an error at the start. */
export function keyFactory<F extends object>(factory: F): F {
  factories.add(factory);
  return factory;
}

export function isKeyFactory(key: object): boolean {
  return factories.has(key);
}
