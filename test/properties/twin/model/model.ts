import type { PolicyOptions } from '../../../../packages/core/src/algorithms/policy-options.js';
import { FixedWindowModel } from './fixed-window.js';
import { BucketModel } from './bucket.js';
import { LogModel } from './log.js';
import { SlotsModel } from './slots.js';

/**
 * An algorithm by its definition, in integers of any size, without regard to speed. It states
 * only what fits and what a charge does. Waits and remaining units follow from repeated calls of `fits`.
 */
export interface Model<State = unknown> {
  /** Microseconds of a tick, the precision of exact results. */
  readonly tick: bigint;
  /** Higher costs never fit. */
  readonly capacity: bigint;
  /** True when the state is ahead of `now`. */
  isAhead(stored: State, now: bigint): boolean;
  /** The state with a corrected date. */
  dated(stored: State | undefined, now: bigint): State;
  /** Whether a cost of at most the capacity fits, now or later, if nothing else is charged until then. */
  fits(state: State, now: bigint, cost: bigint): boolean;
  /** Nothing is used, now or later. */
  unused(state: State, now: bigint): boolean;
  /** Charges a cost, at most up to full. */
  charge(state: State, now: bigint, cost: bigint): State;
  refund(stored: State, now: bigint, charge: Charge): { state: State; given: bigint };
  /** The limit in the outcome of a state after a request. */
  shown(state: State, now: bigint, asked: Asked): bigint;
  /** The delay of a request that was admitted to this state. */
  delay(before: State, now: bigint): bigint;
}

export interface Charge {
  readonly units: bigint;
  readonly at: bigint;
  readonly until: bigint;
}

export interface Asked {
  readonly cost: bigint;
  readonly denied: boolean;
}

export function modelOf(options: PolicyOptions): Model {
  switch (options.algorithm) {
    case 'fixed-window':
      return new FixedWindowModel(options);
    case 'sliding-window-log':
      return new LogModel(options);
    case 'token-bucket':
    case 'gcra':
    case 'leaky-bucket':
      return new BucketModel(options);
    default:
      return new SlotsModel(options);
  }
}
