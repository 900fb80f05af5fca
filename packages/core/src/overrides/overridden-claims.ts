import { claimOf, claimSetOf } from '../limiter/claims/claims-of-values.js';
import type { ClaimSet, PlannedClaims } from '../limiter/claims/claim-set.js';
import type { TierValues } from '../limiter/claims/tier-values.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Claim } from '../model/claim.js';
import type { Override } from '../model/override.js';
import type { MarkedKeys } from './marked-keys.js';
import type { OverrideEntry } from './override-entry.js';

/** The claims of one request, where overrides decide instead of limits. */
export interface Overridden<Claims extends ClaimSet = ClaimSet> {
  readonly overridden: InForce<Claims>;
}

/** What overrides have changed in the claims of a request. */
export interface InForce<Claims extends ClaimSet = ClaimSet> {
  /** By the name of the tier. */
  readonly tiers: ReadonlyMap<string, TierOverride>;
  /** The claims without the overrides that are over by now. */
  again(): Claims;
}

/** An override in the place of the limit of a tier. */
export interface TierOverride {
  readonly entry: OverrideEntry;
  /** One unit of its key by the limit of the tier: the store says its time with the state. */
  readonly probe: Claim;
  /** The cost of the request fits the limit of the tier, if the tier has enough left. */
  readonly fitsLater: boolean;
}

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
  const overrides = new Map<string, TierOverride>();
  for (const [place, entry] of entries.entries()) {
    if (entry === undefined) continue;
    const tier = tiers[place]!;
    overrides.set(tier.name, tierOverride(tier, { entry, key: keys[place]!, values: values[place]! }));
  }
  // A lease would spend units after the end, which were charged before it.
  const isEnding = (name: string) => overrides.get(name)?.entry.isEnding === true;
  const claims = claimSet.claims.map((claim) =>
    claim.lease !== undefined && isEnding(claim.tier) ? { ...claim, lease: undefined } : claim,
  );
  const again = () => overriddenClaims(wanted, finish, limitInForce);
  return { ...claimSet, claims, overridden: { tiers: overrides, again } };
}

/** The overrides in claims. Undefined without one. */
export function inForceIn<Claims extends ClaimSet>(claimSet: Claims): InForce<Claims> | undefined {
  return (claimSet as Partial<Overridden<Claims>>).overridden;
}

/** True if a claim has the mark of an override. A loop, because most requests take this way. */
export function hasMark({ claims }: PlannedClaims, lengths: readonly number[]): boolean {
  for (let place = 0; place < claims.length; place += 1) {
    if (claims[place]!.key.length > lengths[place]!) return true;
  }
  return false;
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
  return limit === null || limit === 0 || tier.mistakeIn(limit) === undefined ? entry : undefined;
}

interface FoundOverride {
  readonly entry: OverrideEntry;
  readonly key: string;
  readonly values: TierValues;
}

function tierOverride(tier: TierDefinition<never>, { entry, key, values }: FoundOverride): TierOverride {
  const numbers = { cost: 0, policies: tier, record: undefined, slotHint: undefined };
  const limit = values.limit as number | null;
  const cost = values.cost as number;
  const fitsLater = limit === null || (limit > 0 && (tier.takesAll || tier.policiesAt(limit).policy.capacity >= cost));
  return { entry, probe: claimOf(tier, key, numbers), fitsLater };
}
