import type { ComposedStore, LayeredStore, Store } from '../stores/store.js';
import type { ClaimBuilder } from './claims/claim-builder.js';
import type { PlanBook } from './plan-book.js';

/** What a limiter consists of. */
export interface LimiterParts<S> {
  /** The limiter of its decisions. */
  readonly limiter: object;
  /** The store of the options, or one of the limiter alone: an operator reads past caches and fallbacks. */
  readonly store: Store;
  readonly composed: ComposedStore;
  /** The store behind all layers. */
  readonly decider: LayeredStore;
  readonly claimBuilder: ClaimBuilder<S>;
  readonly book: PlanBook<S>;
}
