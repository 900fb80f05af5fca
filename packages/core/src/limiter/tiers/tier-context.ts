import type { OnStoreFailure } from '../../model/claim.js';
import type { AbleStore } from '../../stores/store.js';
import type { KeyFunction } from '../keys/key-function.js';

/** The limiter that tiers belong to, as far as they depend on it. */
export interface TierContext<S> {
  /** The first words of error messages about the limiter. */
  readonly owner: string;
  /** The limiter itself. */
  readonly limiter: object;
  readonly store: AbleStore;
  /** The limiter has made its store itself, so that its only tier needs no name. */
  readonly hasOwnStore: boolean;
  /** All keys of a partition have one hash tag. */
  readonly isPartitioned: boolean;
  readonly prefix: string;
  readonly secret: string | undefined;
  readonly defaults: TierDefaults<S>;
}

/** What applies to tiers without an option of their own. */
export interface TierDefaults<S> {
  readonly key?: KeyFunction<S> | undefined;
  /** The cost of every request, where it is known. */
  readonly cost?: number | undefined;
  readonly onStoreFailure?: OnStoreFailure | undefined;
  /** The part of a limit that this process allows while the store is unavailable. */
  readonly share?: number | undefined;
}
