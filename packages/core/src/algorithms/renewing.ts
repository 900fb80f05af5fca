import type { Policy } from '../model/policy.js';
import type { Charge } from './algorithm.js';
import { facet } from './facet.js';

/** What limits of requests in flight do with the units of one that still runs. */
export interface Renewing<P = Policy, State = unknown> {
  /** Lets units count from `now` on, whether they still did or not. */
  renew(stored: State | undefined, now: number, policy: P, receipt: Charge): Renewal<State>;
}

export interface Renewal<State> {
  readonly state: State;
  /** Units that others could have been given in the meantime. */
  readonly lapsed: number;
}

export const renewing = facet<Renewing>('renewing');
