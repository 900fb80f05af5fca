import type { PolicyOptions } from '../../../../packages/core/src/algorithms/named/policy-options.js';
import { FixedWindowModel } from './fixed-window.js';
import { BucketModel } from './bucket.js';
import { BackoffModel } from './backoff.js';
import { ConcurrencyModel } from './concurrency.js';
import { LogModel } from './log.js';
import { MovingBucketModel } from './moving-bucket.js';
import { PauseModel } from './pause.js';
import { SlidingWindowModel } from './sliding-window.js';
import { SlotsModel } from './slots.js';

/**
 * The definition of an algorithm, in integers of any size, without optimization. It defines only which cost fits and
 * what a charge changes. Repeated calls of `fits` give the waits and the remaining units.
 */
export interface Model<State = unknown> {
  /** The precision of results, in microseconds. */
  readonly tick: bigint;
  /** The largest cost that can ever fit. */
  readonly capacity: bigint;
  /** Whether the state is from a time after `now`. */
  isAhead(stored: State, now: bigint): boolean;
  /** The state, moved to `now` if it is ahead. */
  redated(stored: State | undefined, now: bigint): State;
  /** Whether a cost of at most the capacity fits, now or later, if nothing else is charged until then. */
  fits(state: State, now: bigint, cost: bigint): boolean;
  /** Whether no unit is used, now or later. */
  isUnused(state: State, now: bigint): boolean;
  /** The same at a time in microseconds, for a state that is more precise than a tick. */
  isExpired?(state: State, microseconds: bigint): boolean;
  /** Charges a cost, or as much of it as fits. */
  charge(state: State, now: bigint, cost: bigint, permit: string): State;
  /** Gives units back, or undoes the charge. */
  refund(stored: State, now: bigint, charge: Charge): { state: State; refunded: bigint };
  /** What a receipt tells of the state that a request found. Only where an undo needs it. */
  before?(found: State): bigint;
  /** Lets the units of a permit count from now on. Only where units are held. */
  renew?(stored: State | undefined, now: bigint, charge: Charge): { state: State; lapsed: bigint };
  /** The durations of a ruling, where none can be calculated because units come back when requests end. */
  hints?(state: State, now: bigint): Hints;
  /** The limit in the outcome of a request that left this state. */
  reportedLimit(state: State, now: bigint, request: DecidedRequest): bigint;
  /** The delay of a request that found this state and was admitted. */
  delay(before: State, now: bigint): bigint;
}

export interface Charge {
  readonly units: bigint;
  readonly at: bigint;
  readonly until: bigint;
  readonly permit?: string;
  readonly of?: bigint;
  /** Set for an undo: the request was never sent. */
  readonly undone?: true;
  /** What the receipt tells of the state that the request found. */
  readonly before?: bigint;
}

export interface Hints {
  /** Of a claim that does not fit. */
  readonly retryAfter: bigint;
  readonly replenishAfter: bigint;
  readonly resetAfter: bigint;
  /** Where it is not the largest cost that fits. */
  readonly remaining?: bigint;
}

export interface DecidedRequest {
  readonly cost: bigint;
  readonly denied: boolean;
}

/** @param settles costs that are charged into an overdraft. @param moves a bucket has one size at all limits */
export function modelOf(options: PolicyOptions, { settles = false, moves = false } = {}): Model {
  if (typeof options.algorithm === 'object') throw new TypeError('a balance has a model of its own: balance-model.ts');
  switch (options.algorithm) {
    case 'fixed-window':
      if (options.period !== undefined) throw new TypeError('the model has no periods: Temporal is theirs');
      return new FixedWindowModel(options);
    case 'sliding-window-log':
      return new LogModel(options);
    case 'token-bucket':
    case 'gcra':
    case 'leaky-bucket':
      return moves ? new MovingBucketModel(options, settles) : new BucketModel(options, settles);
    case 'backoff':
      return new BackoffModel(options);
    case 'concurrency':
      return new ConcurrencyModel(options);
    case 'pause':
      return new PauseModel();
    case 'multi-window':
      return new SlotsModel(options);
    default:
      return new SlidingWindowModel(options);
  }
}
