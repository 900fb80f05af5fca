import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { OnStoreFailure } from '../../model/on-store-failure.js';
import type { Store } from '../../stores/store.js';

/** Whose tiers they are: a limiter, and where it keeps them. */
export interface TierContext<S> {
  readonly store: Store;
  /** The store was made for this limiter alone, so a single tier needs no name. */
  readonly ownStore: boolean;
  readonly prefix: string;
  readonly defaults: TierDefaults<S>;
}

/** What holds for tiers that do not say. */
export interface TierDefaults<S> {
  /** Whose budget is spent. */
  readonly key?: ((subject: S) => MaybePromise<Key>) | undefined;
  /** What every request will cost, where that is known. */
  readonly cost?: number | undefined;
  /** What becomes of them while the store cannot answer. */
  readonly onStoreFailure?: OnStoreFailure | undefined;
  /** The part of a limit that a process allows on its own. */
  readonly share?: number | undefined;
}
