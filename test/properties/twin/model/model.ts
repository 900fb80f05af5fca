import type { PolicyOptions } from '../../../../packages/core/src/algorithms/policy-options.js';
import { FixedWindowModel } from './fixed-window.js';
import { BucketModel } from './bucket.js';
import { LogModel } from './log.js';
import { SlotsModel } from './slots.js';

/**
 * An algorithm as its definition in the design says it, in integers of any size and with no thought of speed. It says
 * only what fits and what a charge does; how long to wait and what remains follow from asking `fits` again.
 */
export interface Model<State = unknown> {
  /** Microseconds that a moment lasts: what is exact is exact to this. */
  readonly tick: bigint;
  /** What is above it never fits. */
  readonly capacity: bigint;
  /** Rule 6: the state is dated later than `now` allows. */
  isAhead(stored: State, now: bigint): boolean;
  /** The state with its date put right. */
  dated(stored: State | undefined, now: bigint): State;
  /** Whether a cost of at most the capacity fits, now or later, if nothing else is charged until then. */
  fits(state: State, now: bigint, cost: bigint): boolean;
  /** Nothing is used, now or later. */
  unused(state: State, now: bigint): boolean;
  /** Takes a cost, at most up to full. */
  charge(state: State, now: bigint, cost: bigint): State;
  refund(stored: State, now: bigint, charge: Charge): { state: State; given: bigint };
  /** The limit that is shown of a state after a request. */
  shown(state: State, now: bigint, asked: Asked): bigint;
  /** How long a request has to wait that was admitted to this state. */
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
