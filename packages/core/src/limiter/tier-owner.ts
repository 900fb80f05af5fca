import type { Store } from '../stores/store.js';

/** Whose tiers they are: a limiter, and where it keeps them. */
export interface TierOwner {
  readonly store: Store;
  /** The store was made for this limiter alone, so a single tier needs no name. */
  readonly ownStore: boolean;
  readonly prefix: string;
}
