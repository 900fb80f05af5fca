import type { Claim, Policy, ReachedMark, Ruling } from '@sluice/core/internal';
import type { LowMark, OnLowBalance } from './low-balance.js';

/** The policy of a balance that gives notice when it is low. */
export interface LowPolicy extends Policy {
  /** Units, in falling order. */
  readonly lowBalance: readonly number[];
  readonly onLowBalance: OnLowBalance | undefined;
}

/**
 * How a policy tells its marks: with the charge; not with it, because another slot of a Cluster may still deny the request; or
 * without a charge, once the request is admitted. Its Lua twin reads the number.
 */
export const TELLING = { none: -1, charge: 0, held: 1, later: 2 } as const;

export type LowRuling = Ruling & { readonly low?: readonly number[] };

/** Undefined for a balance without marks. */
export function tellingOf({ numbers }: Policy): number | undefined {
  const [, , mode] = numbers;
  return mode === TELLING.none ? undefined : mode;
}

/** The marks at or below which a balance has come. @param before down to which units marks were told */
export function marksBetween({ lowBalance = [] }: Partial<LowPolicy>, left: number, before: number): readonly number[] {
  return lowBalance.filter((mark) => left <= mark && mark < before);
}

const known = new WeakMap<Policy, { held: LowPolicy; later: LowPolicy }>();

/** The same policy, for the two steps of a request whose tiers are in several slots. */
export function heldLow(policy: LowPolicy): { readonly held: LowPolicy; readonly later: LowPolicy } {
  const made = known.get(policy) ?? { held: telling(policy, TELLING.held), later: telling(policy, TELLING.later) };
  known.set(policy, made);
  return made;
}

/** In an answer of a store. What a balance holds is the rest of its limit, so that it has `used` none of it. */
export function lowReached(claim: Claim, ruling: LowRuling): readonly (ReachedMark & LowMark)[] | undefined {
  const { tier, key } = claim;
  const { low, charged, remaining: balance } = ruling;
  // A mark that the charge has not reached was reached by units that have ended.
  const causeOf = (mark: number) => (balance + charged <= mark ? 'ended' : 'spent');
  const policy = claim.policy as LowPolicy;
  return low?.map((mark) => ({
    tier,
    key,
    mark,
    used: 0,
    limit: balance,
    endsAt: 0,
    balance,
    cause: causeOf(mark),
    policy,
  }));
}

function telling(policy: LowPolicy, mode: number): LowPolicy {
  return Object.freeze({ ...policy, numbers: policy.numbers.with(2, mode) });
}
