import type { Policy } from './policy.js';

/** The proof of a charge, by which it can be refunded. */
export interface Receipt {
  readonly tier: string;
  readonly key: string;
  readonly policy: Policy;
  /** Units charged. */
  readonly units: number;
  /** When they were charged, in the policy's ticks. */
  readonly at: number;
  /** When the budget would have been full again, in the policy's ticks. */
  readonly until: number;
  /** The name of the units in the store, where they are held. */
  readonly permit?: string;
  /** The units that the permit was given for. `units` are the last of them. */
  readonly of?: number;
  /** Set if this process charged them during an outage. They are refunded there. */
  readonly source?: 'local';
}
