import { definePolicy, type Policy, type Tier } from '@sluice/core';
import { numbersOf } from './numbers.js';
import type { TierEntry } from './read-tier.js';

interface Checked {
  readonly entry: TierEntry;
  readonly key: unknown;
  /** Undefined where the limit depends on the plan. */
  readonly policy: Policy | undefined;
}

/** What is allowed in tiers of limiters and likely a mistake. */
export function doubtsOf(
  limiters: readonly (readonly Tier<never>[])[],
  entries: ReadonlyMap<string, TierEntry>,
): readonly string[] {
  return limiters.flatMap((tiers) => {
    const checked = tiers.map((tier): Checked => {
      const entry = entries.get(tier.name!)!;
      return { entry, key: tier.key, policy: policyOf(entry, tier) };
    });
    return [...idleTiers(checked), ...presentedAlone(tiers, checked)];
  });
}

/** Tiers that never deny, because a longer window of the same key allows no more. */
function idleTiers(tiers: readonly Checked[]): readonly string[] {
  return tiers.flatMap(({ entry, key, policy }) => {
    if (policy === undefined) return [];
    const stricter = tiers.find(
      (other) =>
        other.key === key &&
        // A request has a cost in each unit.
        other.entry.given['unit'] === entry.given['unit'] &&
        other.policy !== undefined &&
        other.policy.window > policy.window &&
        other.policy.limit <= policy.limit,
    );
    if (stricter === undefined) return [];
    const why = `"${stricter.entry.name}" allows no more in a longer window: remove it, or lower its limit`;
    return [`${placeOf(entry)} tier "${entry.name}" can never deny, because ${why}`];
  });
}

/** A client makes up as many identities as it wants, and is limited by none of them. */
function presentedAlone(tiers: readonly Tier<never>[], checked: readonly Checked[]): readonly string[] {
  const bounds = tiers.map(({ key }) => key.bounds);
  if (!bounds.includes('presented') || bounds.includes('address')) return [];
  const { entry } = checked[bounds.indexOf('presented')]!;
  const why = 'counts identities that nothing has verified: add a tier with key: ip beside it';
  return [`${placeOf(entry)} tier "${entry.name}" ${why}`];
}

function placeOf({ source, path }: TierEntry): string {
  return source.place(path);
}

/** Of a rate with one limit in force. */
function policyOf({ given }: TierEntry, tier: Tier<never>): Policy | undefined {
  const { limit, mode = 'enforce', enforce, cost } = given as Record<string, unknown>;
  if (typeof limit !== 'number' || limit === 0 || mode !== 'enforce' || enforce !== undefined || cost !== undefined) {
    return undefined;
  }
  const policy = definePolicy(numbersOf({ ...tier, limit })!);
  return policy.algorithm.refill === undefined ? undefined : policy;
}
