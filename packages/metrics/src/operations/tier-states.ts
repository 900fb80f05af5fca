import type {
  IdentityDigest,
  IdentityOptions,
  Inspection,
  InspectOptions,
  Key,
  LimiterView,
  TierView,
} from '@sluice/core/internal';

/** A tier, and what it has of an identity. */
export interface TierState {
  readonly limiter: LimiterView;
  readonly tier: TierView;
  readonly inspection: Inspection;
  /** False for a limit by request that was not given: then only the key of the inspection counts. */
  readonly isLimitKnown: boolean;
  /** The plan whose limit this is about. Without the plan of the identity there is a state for each. */
  readonly plan?: string;
}

interface StateOptions extends IdentityOptions, InspectOptions {
  /** Of the identity. */
  readonly plan?: string | undefined;
}

/** A tier to read, and the limit of the identity. */
interface Wanted {
  readonly tier: TierView;
  readonly limit: number | undefined;
  readonly plan?: string;
}

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
  return [...new Map(states.flat().map((state) => [textOf(state), state])).values()];
}

/** Which limit a state is about: `default`, `plan pro` or `override`. */
export function limitSource({ inspection, plan }: Pick<TierState, 'inspection' | 'plan'>): string {
  if (inspection.override !== undefined) return 'override';
  return plan === undefined ? 'default' : `plan ${plan}`;
}

/** A limit of 0 has no key. */
function textOf({ limiter, tier, inspection: { key }, plan }: TierState): string {
  return JSON.stringify([key === '' ? [limiter.prefix, tier.name] : key, plan]);
}

async function statesIn(
  limiter: LimiterView,
  identity: Key | IdentityDigest,
  { tiers: named, cost, limit, plan, partition }: StateOptions,
): Promise<readonly TierState[]> {
  if (limiter.isPartitioned && partition === undefined) return [];
  const read = async (all: readonly Wanted[], isLimitKnown: boolean): Promise<readonly TierState[]> => {
    if (all.length === 0) return [];
    // A state is found at any limit that the tier allows.
    const budgets = limiter.of(identity, { limit: all[0]!.limit ?? all[0]!.tier.policy.limit, partition });
    const inspections = await budgets.inspect({ tiers: all.map(({ tier }) => tier.name), cost });
    return all.map(({ tier, plan: of }, index) => {
      const inspection = inspections[index]!;
      // An override says the limit that only a request would.
      const isOverridden = inspection.override !== undefined;
      const isPlanned = of !== undefined && !isOverridden;
      const state = { limiter, tier, inspection, isLimitKnown: isLimitKnown || isOverridden };
      return isPlanned ? { ...state, plan: of } : state;
    });
  };
  const tiers = limiter.tiers.filter(({ name }) => named?.includes(name) ?? true);
  const isOpen = (tier: TierView) => tier.limit === 'by-request' && limit === undefined;
  // One call, so that these states are of one moment.
  const known = tiers.flatMap((tier) => (isOpen(tier) ? [] : [{ tier, limit }]));
  const open = tiers.filter(isOpen).map((tier) => {
    const planned = plansOf(tier, plan);
    if (planned.length === 0) return read([{ tier, limit }], false);
    return Promise.all(planned.map((each) => read([each], true))).then((states) => states.flat());
  });
  return (await Promise.all([read(known, true), ...open])).flat();
}

/** A tier once for each plan with a limit of its own, or for that of the identity. A plan that is not listed has `otherwise`. */
function plansOf(tier: TierView, plan: string | undefined): readonly (Wanted & { readonly limit: number })[] {
  const { plans = {} } = tier;
  const names = Object.keys(plans);
  const wanted = plan === undefined ? names : [Object.hasOwn(plans, plan) ? plan : 'otherwise'];
  return wanted.flatMap((name) => {
    const limit = Object.hasOwn(plans, name) ? plans[name] : undefined;
    // The tier does not apply to a plan with a limit of null.
    return typeof limit === 'number' ? [{ tier, limit, plan: name }] : [];
  });
}
