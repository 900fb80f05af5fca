import type { Receipt } from '../../model/receipt.js';

/** Units that one refill charged. This process spends the first of them first. */
export interface Grant {
  readonly receipt: Receipt;
  /** Units left. */
  units: number;
  /** When the units left go back to the store, in milliseconds of the lease's clock. */
  readonly expiresAt: number;
}

/** Spends units of a grant that has enough of them. */
export function spendGrant(grant: Grant, units: number): Receipt {
  grant.units -= units;
  const { tier, key, policy, at, until } = grant.receipt;
  if (policy.algorithm.refill !== 'evenly') return { tier, key, policy, units, at, until };
  // Time gives back the first units of a bucket first, so each receipt ends where the units behind it begin.
  const { window, tick, limit } = policy;
  return { tier, key, policy, units, at, until: until - Math.ceil((grant.units * window) / (tick * limit)) };
}
