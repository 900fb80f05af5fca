import type { Decision, MaybePromise } from '@sluice/core/internal';
import type { ClosingResponse } from '../request/on-close.js';

/** Names the method, so that a gate takes the shedder of any copy of this package. Its number changes with its form. */
export const SHED = 'sluice.shed.1';

/** A request at a gate. */
export interface ShedVisit<S> {
  readonly request: S;
  /** Absent in a simulation, whose clients leave unseen. */
  readonly response?: ClosingResponse;
  /** The limiter of the gate, whose `secret` decides which clients are refused together. It is absent without a gate. */
  readonly limiter?: object;
  /** Fixes the address before a function of the application is called. */
  captureAddress(): void;
}

/** What a gate asks of its option `shed`: `shedder` of `@sluice/overload` makes one. */
export interface Shedding<S> {
  /**
   * The decision that refuses a request because of overload. Undefined for one that goes on, unless its client has left by the
   * time of the answer. It asks nothing of a store.
   *
   * @param demotedBy tiers that have counted the request and demoted it. @default it was not counted
   */
  'sluice.shed.1'(visit: ShedVisit<S>, demotedBy?: readonly string[]): MaybePromise<Decision | undefined>;
}
