import type { Claim } from './claim.js';
import type { Policy } from './policy.js';
import type { Ruling } from './ruling.js';

/** What a charged claim leaves behind so that it can be given back. */
export interface Receipt {
  readonly tier: string;
  readonly key: string;
  readonly policy: Policy;
  /** Units that were charged. */
  readonly units: number;
  /** When they were charged, in the policy's ticks. */
  readonly at: number;
  /** When the budget was to be full again just after, in the policy's ticks. */
  readonly until: number;
  /** Set where it was charged in this process because the store could not answer: it is given back there. */
  readonly source?: 'local';
}

/** @param now microseconds */
export function toReceipt(claim: Claim, ruling: Ruling, now: number): Receipt {
  const at = Math.floor(now / claim.policy.tick);
  const { tier, key, policy } = claim;
  return { tier, key, policy, units: ruling.charged, at, until: at + ruling.resetAfter };
}
