import type { MaybePromise } from '../../async/maybe-promise.js';
import {
  callKeys,
  staticClaims,
  unitsFor,
  type ClaimBuilder,
  type Claims,
  type IdentityNumbers,
} from '../claims/claim-builder.js';
import type { Charger, ClaimSet, PlannedClaims, TierOverride } from '../claims/claim-set.js';
import { claimOf, claimSetOf, storeKeyOf } from '../claims/claims-of-values.js';
import { ONE_UNIT, unitsOf, valuesOf, type TierValues } from '../claims/tier-values.js';
import type { Claim } from '../../model/claim.js';
import type { Override } from '../../model/override.js';
import type { Plan } from '../compile.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { OverrideEntry } from './override-entry.js';
import type { OverrideIndex } from './override-index.js';
import type { OverrideTable } from './override-table.js';

type Tiers<S> = readonly TierDefinition<S>[];
type Indexes = readonly (OverrideIndex | undefined)[];

/** What the tiers of a request ask, before a limit decides which of them apply. */
interface Wanted {
  readonly tiers: Tiers<never>;
  readonly values: readonly TierValues[];
  readonly partition: string | undefined;
}

/** Builds the claims of a limiter that has overrides. */
export class OverriddenClaims<S> implements Claims<S> {
  readonly #builder: ClaimBuilder<S>;
  readonly #table: OverrideTable;

  constructor(builder: ClaimBuilder<S>, table: OverrideTable) {
    this.#builder = builder;
    this.#table = table;
  }

  build(plan: Plan<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    const { tiers, isStatic, overrides } = plan;
    if (overrides === undefined) return this.#builder.build(plan, subject, cost);
    if (isStatic) {
      const identities = callKeys(tiers, subject);
      return identities instanceof Promise
        ? identities.then((each) => staticSet(plan, overrides, each, cost))
        : staticSet(plan, overrides, identities, cost);
    }
    return this.#builder.resolve(tiers, subject, {
      call: (tier) => valuesOf(tier, subject, cost),
      build: (all, values, partition) => planned(overriddenSet({ tiers: all, values, partition }, overrides), plan),
    });
  }

  buildUnits(tiers: Tiers<S>, subject: S, cost = 1): MaybePromise<ClaimSet> {
    return this.#builder.resolve(tiers, subject, {
      call: (tier) => unitsOf(tier, subject, cost),
      build: (all, values, partition) =>
        overriddenSet({ tiers: all, values, partition }, this.#indexesOf(all), shownLimit),
    });
  }

  buildFor(tiers: Tiers<S>, identity: unknown, numbers: IdentityNumbers): ClaimSet {
    const partition = this.#builder.partitionOf(identity, numbers);
    const indexes = this.#indexesOf(tiers);
    const values = tiers.map((tier, index): TierValues => {
      const isOverridden = inForce(indexes[index], storeKeyOf(tier, identity, partition), tier) !== undefined;
      // An override needs no limit of a subject.
      if (!isOverridden || typeof tier.limit !== 'function') return unitsFor(tier, identity, numbers);
      return { ...ONE_UNIT, key: identity, limit: numbers.limit ?? tier.policy.limit, cost: numbers.cost };
    });
    const claimSet = overriddenSet({ tiers, values, partition }, indexes, shownLimit);
    const { overridden } = claimSet;
    if (overridden === undefined) return claimSet;
    return { ...claimSet, overridden: { ...overridden, again: () => this.buildFor(tiers, identity, numbers) } };
  }

  #indexesOf(tiers: Tiers<S>): Indexes {
    return tiers.map((tier) => this.#table.indexOf(tier));
  }
}

/** The claims on tiers without functions except `key`. Most identities have no override. */
function staticSet(plan: Plan<never>, indexes: Indexes, identities: readonly unknown[], cost: number): PlannedClaims {
  const { tiers } = plan;
  const claimSet = staticClaims(plan, identities, cost);
  if (!isFound(claimSet.claims, indexes)) return claimSet;
  const values = tiers.map((tier, place) => ({
    ...ONE_UNIT,
    key: identities[place],
    limit: tier.policy.limit,
    cost: typeof tier.cost === 'number' ? tier.cost : cost,
  }));
  return planned(overriddenSet({ tiers, values, partition: undefined }, indexes), plan);
}

/** A loop, because most requests take this way. */
function isFound(claims: readonly Claim[], indexes: Indexes): boolean {
  for (let place = 0; place < claims.length; place += 1) {
    if (indexes[place]?.find(claims[place]!.key) !== undefined) return true;
  }
  return false;
}

function planned(claimSet: ClaimSet, plan: Charger): PlannedClaims {
  const { overridden } = claimSet;
  if (overridden === undefined) return { ...claimSet, overridden, plan };
  return { ...claimSet, plan, overridden: { ...overridden, again: () => planned(overridden.again(), plan) } };
}

/** The limit of an override. @param own of the tier */
type LimitInForce = (override: Override, own: unknown) => unknown;

const ruledLimit: LimitInForce = ({ limit }) => limit;
/** Operators see what a tier has counted, also while it does not apply. */
const shownLimit: LimitInForce = ({ limit }, own) => limit ?? own;

function overriddenSet(wanted: Wanted, indexes: Indexes, limitInForce = ruledLimit): ClaimSet {
  const { tiers, values, partition } = wanted;
  // The key function of a tier that is off was not called.
  const inUse = tiers.map((tier, place) => (tier.isOff ? undefined : indexes[place]));
  const keys = tiers.map((tier, place) => inUse[place] && storeKeyOf(tier, values[place]!.key, partition));
  const entries = tiers.map((tier, place) => inForce(inUse[place], keys[place]!, tier));
  if (entries.every((entry) => entry === undefined)) return claimSetOf(tiers, values, partition);
  const changed = values.map((each, place) => {
    const entry = entries[place];
    return entry === undefined ? each : { ...each, limit: limitInForce(entry.override, each.limit) };
  });
  const claimSet = claimSetOf(tiers, changed, partition);
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
  return {
    ...claimSet,
    claims,
    overridden: { tiers: overrides, again: () => overriddenSet(wanted, indexes, limitInForce) },
  };
}

/** The override of a key. Undefined for one that is over, and for a limit that the tier cannot have. */
function inForce(
  index: OverrideIndex | undefined,
  key: string,
  tier: TierDefinition<never>,
): OverrideEntry | undefined {
  const entry = index?.find(key);
  if (entry === undefined || entry.isOver) return undefined;
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
