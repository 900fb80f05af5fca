import type { Algorithm } from '../algorithm.js';
import type { SlidingWindowPolicy } from './sliding-policy.js';

type Steps<State> = Pick<
  Algorithm<SlidingWindowPolicy, State>,
  'isAhead' | 'wait' | 'remaining' | 'describe' | 'refund' | 'expiresAt' | 'terms'
>;

/** The steps on states of one form, whichever form the limit charges. */
export interface Form<State> extends Steps<State> {
  read(stored: State, now: number, policy: SlidingWindowPolicy): State;
}
