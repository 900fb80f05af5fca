import type { Decision, MaybePromise } from '@sluice/core/internal';
import type { Body } from '../problem/negotiated-body.js';
import type { Problem } from '../problem/problem.js';

/** The answer of a gate about a request. */
export type Admission = Admitted | Denial | Ended;

/** The request goes on. */
export interface Admitted {
  readonly state: 'admitted';
  /** Undefined for a request that was not counted. */
  readonly decision: Decision | undefined;
}

/** The headers are set. The adapter sends the status of the problem, and the body. */
export interface Denial {
  readonly state: 'denied';
  readonly decision: Decision;
  readonly problem: Problem;
  /** Makes the body that the client accepts, or the body of the option `body`. */
  readonly body: () => MaybePromise<Body>;
}

/** Nothing is left to do: the response has ended, or the client has disconnected. */
export interface Ended {
  readonly state: 'ended';
}
