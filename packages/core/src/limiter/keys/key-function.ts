import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';

/**
 * How many identities one client can have. `address` means as many as it has addresses. `presented` means as many as it
 * invents, because nothing has verified them.
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
