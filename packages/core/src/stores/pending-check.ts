import type { Deferred } from '../async/deferred.js';
import type { Claim } from '../model/claim.js';
import type { Answer, Reception } from './store.js';

/** A group of claims that waits for its answer. */
export interface PendingCheck {
  readonly group: readonly Claim[];
  /** True for a check that changes nothing. */
  readonly isPeek: boolean;
  readonly answer: Deferred<Answer>;
  /** Gets the answer or the error first. */
  readonly reception: Reception | undefined;
}
