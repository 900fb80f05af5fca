import { claimSetOf } from '../limiter/claims/claims-of-values.js';
import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { TierValues } from '../limiter/claims/tier-values.js';
import { isZeroLimit } from '../limiter/claims/zero-limit.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Override } from '../model/override.js';
import { overrideIn, type InForce } from './in-force.js';
import type { MarkedKeys } from './marked-keys.js';
import type { OverrideEntry } from './override-entry.js';
import { TierOverride } from './tier-override.js';

/** What tiers ask for a request, before a limit decides which of them apply. */
export interface Wanted {
  readonly tiers: readonly TierDefinition<never>[];
  readonly values: readonly TierValues[];
  /** The store keys, without marks. Empty where the tier has no identity. */
  readonly keys: readonly string[];
  /** Absent for a tier without overrides. */
  readonly marks: readonly (MarkedKeys | undefined)[];
}

/** The limit of an override. @param own of the tier */
type LimitInForce = (override: Override, own: unknown) => unknown;

const ruledLimit: LimitInForce = ({ limit }) => limit;
/** Operators see what a tier has counted, also while it does not apply. */
export const shownLimit: LimitInForce = ({ limit }, own) => limit ?? own;

/** The claims of a request by the overrides in force. */
export function overriddenClaims<Claims extends ClaimSet>(
  wanted: Wanted,
  finish: (claimSet: ClaimSet) => Claims,
  limitInForce = ruledLimit,
): Claims {
  const { tiers, values, keys, marks } = wanted;
  const entries = tiers.map((tier, place) => entryInForce(tier, marks[place], keys[place]!));
  const changed = values.map((each, place) => {
    const entry = entries[place];
    return entry === undefined ? each : { ...each, limit: limitInForce(entry.override, each.limit) };
  });
  const made = keys.map((key) => ({ keyOf: () => (key === '' ? undefined : key) }));
  const claimSet = finish(claimSetOf({ tiers, keys: made }, changed, undefined));
  if (entries.every((entry) => entry === undefined)) return claimSet;
  const overrides = new Map<TierOverride, number>();
  for (const [place, entry] of entries.entries()) {
    if (entry === undefined) continue;
    overrides.set(new TierOverride(tiers[place]!, entry, keys[place]!), place);
  }
  const overridden: InForce<Claims> = {
    overrides: [...overrides.keys()],
    fitsLater(override) {
      const place = overrides.get(override)!;
      return fits(tiers[place]!, values[place]!);
    },
    again: () => overriddenClaims(wanted, finish, limitInForce),
  };
  // A lease would spend units after the end, which were charged before it.
  const claims = claimSet.claims.map((claim) =>
    claim.lease !== undefined && overrideIn(overridden, claim.tier)?.entry.isEnding
      ? { ...claim, lease: undefined }
      : claim,
  );
  return { ...claimSet, claims, overridden };
}

/** The override of a key. Undefined for one that is over, and for a limit that the tier cannot have. */
export function entryInForce(
  tier: TierDefinition<never>,
  marks: MarkedKeys | undefined,
  key: string,
): OverrideEntry | undefined {
  const entry = marks?.entryOf(key);
  if (entry === undefined || tier.isOff) return undefined;
  const { limit } = entry.override;
  const hasNoClaim = limit === null || isZeroLimit(limit, tier.policy);
  return hasNoClaim || tier.mistakeIn(limit) === undefined ? entry : undefined;
}

/** The cost of a request fits the limit of a tier, if that has enough left. */
function fits(tier: TierDefinition<never>, values: TierValues): boolean {
  const limit = values.limit as number | null;
  if (limit === null) return true;
  return limit > 0 && (tier.takesAll || tier.policiesAt(limit).policy.capacity >= (values.cost as number));
}
