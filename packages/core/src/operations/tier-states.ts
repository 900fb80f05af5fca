import type { IdentityOptions, InspectOptions, Key } from '../model/identity.js';
import type { Inspection } from '../model/inspection.js';
import type { IdentityDigest } from '../model/identity-digest.js';
import type { LimiterView, TierView } from '../stores/limiters-of.js';

/** A tier, and what it has of an identity. */
export interface TierState {
  readonly limiter: LimiterView;
  readonly tier: TierView;
  readonly inspection: Inspection;
  /** False for a limit by request that was not given: then only the key of the inspection counts. */
  readonly isLimitKnown: boolean;
}

interface StateOptions extends IdentityOptions, InspectOptions {}

/**
 * Reads what the tiers of limiters have of an identity. No operator knows the kind of a tier's keys, so all are read;
 * without a partition, limiters with `partition` are left out.
 */
export async function tierStates(
  limiters: readonly LimiterView[],
  identity: Key | IdentityDigest,
  options: StateOptions = {},
): Promise<readonly TierState[]> {
  const states = await Promise.all(limiters.map((limiter) => statesIn(limiter, identity, options)));
  // Limiters may share a tier.
  return [...new Map(states.flat().map((state) => [state.inspection.key || state.tier, state])).values()];
}

async function statesIn(
  limiter: LimiterView,
  identity: Key | IdentityDigest,
  { tiers: named, cost, limit, partition }: StateOptions,
): Promise<readonly TierState[]> {
  if (limiter.isPartitioned && partition === undefined) return [];
  const read = async (tiers: readonly TierView[], isLimitKnown: boolean): Promise<readonly TierState[]> => {
    if (tiers.length === 0) return [];
    // A state is found at any limit that the tier allows.
    const budgets = limiter.of(identity, { limit: limit ?? tiers[0]!.policy.limit, partition });
    const inspections = await budgets.inspect({ tiers: tiers.map(({ name }) => name), cost });
    return tiers.map((tier, index) => {
      const inspection = inspections[index]!;
      // An override says the limit that only a request would.
      return { limiter, tier, inspection, isLimitKnown: isLimitKnown || inspection.override !== undefined };
    });
  };
  const tiers = limiter.tiers.filter(({ name }) => named?.includes(name) ?? true);
  const isOpen = (tier: TierView) => tier.limit === 'by-request' && limit === undefined;
  // One call, so that these states are of one moment.
  const known = read(
    tiers.filter((tier) => !isOpen(tier)),
    true,
  );
  const open = tiers.filter(isOpen).map((tier) => read([tier], false));
  return (await Promise.all([known, ...open])).flat();
}
