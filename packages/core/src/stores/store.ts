import type { Claim } from '../model/claim.js';
import type { Source } from '../model/decision.js';
import type { OnStoreFailure } from '../model/on-store-failure.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Outcome } from '../model/outcome.js';
import type { Receipt } from '../model/receipt.js';

/** Keeps state and decides atomically. A memory store answers at once, a remote one by promise; denied is an answer. */
export interface Store {
  /** Charges every enforced claim of a request, or none when one of them denies. */
  consume(group: readonly Claim[]): MaybePromise<Answer>;
  /** The answer that `consume` would give, with nothing changed. */
  peek(group: readonly Claim[]): MaybePromise<Answer>;
  /** Gives back what receipts stand for, and says how many units that were, added up. */
  refund(receipts: readonly Receipt[]): MaybePromise<number>;
  /** Forgets keys and what was recorded with them. */
  reset(keys: readonly string[]): MaybePromise<void>;
  /** What was recorded with a key, newest first. */
  inspect(key: string): MaybePromise<readonly string[]>;
  /** Ends timers, and connections that the store made itself. What is under way is still answered. */
  close(): MaybePromise<void>;
}

export interface Answer {
  /** One for each claim, in the order of the claims. */
  readonly outcomes: readonly Outcome[];
  /** One for each claim that was charged. */
  readonly receipts: readonly Receipt[];
  readonly source: Source;
  /**
   * When it was asked, in milliseconds of `performance.now()`: what has happened before is in it. Without it the answer
   * is not remembered.
   */
  readonly asked?: number;
  /** How it was decided instead, where the store that was asked could not answer: `outcomes` are those of local tiers. */
  readonly fallback?: OnStoreFailure;
}
