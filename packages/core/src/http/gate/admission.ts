import type { Decision } from '../../model/decision.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Body } from '../problem/body.js';
import type { Problem } from '../problem/problem.js';

/** What becomes of a request at a gate. */
export type Admission = Admitted | Denial | Ended;

export interface Admitted {
  readonly state: 'admitted';
  /** Undefined for a request that was not counted. */
  readonly decision: Decision | undefined;
}

/** Headers are set. Status and body are for the adapter to send, in the way of its framework. */
export interface Denial {
  readonly state: 'denied';
  readonly decision: Decision;
  readonly problem: Problem;
  readonly body: () => MaybePromise<Body>;
}

/** Nothing is left to do: somebody has answered in the meantime, or the client has left while it waited. */
export interface Ended {
  readonly state: 'ended';
}
