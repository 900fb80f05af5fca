import type { Claim } from '../model/claim.js';
import { facet } from './facet.js';

/** What limits do for which requests wait. */
export interface Wishing {
  /** Remembers in the state what a claim was denied, where such limits alone have denied its request. */
  leaveWishes(denied: DeniedClaim): void;
  /** Tells a state that the store has told whether the next claim may take its units: it does not know the wishes of others. */
  tell(state: unknown, mayTake: boolean): void;
}

/** A claim of a request that was denied. */
export interface DeniedClaim {
  readonly claim: Claim;
  readonly state: unknown;
  /** The time of the decision, in the policy's ticks. */
  readonly ticks: number;
  readonly cost: number;
  /** It is 0 if the claim itself fits. */
  readonly retryAfter: number;
  /** Set where the store must save the state. */
  changed: boolean;
}

export const wishing = facet<Wishing>('wishing');
