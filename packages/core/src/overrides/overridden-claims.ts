import { claimSetOf } from '../limiter/claims/claims-of-values.js';
import type { ClaimSet } from '../limiter/claims/claim-set.js';
import type { TierValues } from '../limiter/claims/tier-values.js';
import { isZeroLimit } from '../limiter/claims/zero-limit.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Override } from '../model/override.js';
import { overrideIn, type InForce } from './in-force.js';
import type { MarkedKeys } from './marked-keys.js';
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
  const found = tiers.map((tier, place) => overrideInForce(tier, marks[place], keys[place]!));
  const changed = values.map((each, place) => {
    const override = found[place];
    return override === undefined ? each : { ...each, limit: limitInForce(override, each.limit) };
  });
  const made = keys.map((key) => ({ keyOf: () => (key === '' ? undefined : key) }));
  const claimSet = finish(claimSetOf({ tiers, keys: made }, changed, undefined));
  if (found.every((override) => override === undefined)) return claimSet;
  const overrides = new Map<TierOverride, number>();
  for (const [place, override] of found.entries()) {
    if (override !== undefined) overrides.set(new TierOverride(tiers[place]!, override, keys[place]!), place);
  }
  const overridden: InForce = {
    overrides: [...overrides.keys()],
    ownClaims(override) {
      const place = overrides.get(override)!;
      return claimSetOf({ tiers: [tiers[place]!], keys: [made[place]!] }, [values[place]!], undefined);
    },
  };
  // A lease would spend units after the end, which were charged before it.
  const claims = claimSet.claims.map((claim) =>
    claim.lease !== undefined && overrideIn(overridden, claim.tier)?.override.until !== undefined
      ? { ...claim, lease: undefined }
      : claim,
  );
  return { ...claimSet, claims, overridden };
}

/** The override of a key. Undefined for one that is over, and for a limit that the tier cannot have. */
export function overrideInForce(
  tier: TierDefinition<never>,
  marks: MarkedKeys | undefined,
  key: string,
): Override | undefined {
  const override = marks?.overrideIn(key);
  if (override === undefined || tier.isOff) return undefined;
  const { limit } = override;
  const hasNoClaim = limit === null || isZeroLimit(limit, tier.policy);
  return hasNoClaim || tier.mistakeIn(limit) === undefined ? override : undefined;
}
