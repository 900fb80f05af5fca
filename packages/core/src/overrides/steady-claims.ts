import type { ClaimSet, PlannedClaims } from '../limiter/claims/claim-set.js';
import { zeroLimitOutcome } from '../limiter/claims/zero-limit.js';
import type { Plan } from '../limiter/compile.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { InForce, Overridden } from './in-force.js';
import type { MarkedKeys } from './marked-keys.js';
import type { TierOverride } from './tier-override.js';

const NONE: readonly TierOverride[] = [];

/** A plan with tiers that have overrides. */
export interface MarkedPlan<S> extends Plan<S> {
  /** Undefined for a tier without overrides. */
  readonly marks: readonly (MarkedKeys | undefined)[];
  /** Of the keys that have no mark. */
  readonly lengths: readonly number[];
  /** An override of it changes no more than the numbers of a claim. */
  readonly isSteady: boolean;
}

/** True if a claim has the mark of an override. A loop, because most requests take this way. */
export function hasMark({ claims }: PlannedClaims, lengths: readonly number[]): boolean {
  for (let place = 0; place < claims.length; place += 1) {
    if (claims[place]!.key.length > lengths[place]!) return true;
  }
  return false;
}

/**
 * The claims of a request by the overrides in force, on tiers without functions except `key`. The general path takes 20 times the
 * CPU of a check: an override remembers what its claims have in common.
 */
export function steadyClaims(plan: MarkedPlan<never>, claimSet: PlannedClaims, cost: number): PlannedClaims {
  return hasMark(claimSet, plan.lengths) ? new SteadyRequest(plan, claimSet, cost).claims() : claimSet;
}

/** A request of which at least one claim has a mark. */
class SteadyRequest implements InForce {
  overrides = NONE;
  readonly #plan: MarkedPlan<never>;
  /** One claim for each tier, with marks. */
  readonly #marked: PlannedClaims;
  readonly #cost: number;

  constructor(plan: MarkedPlan<never>, marked: PlannedClaims, cost: number) {
    this.#plan = plan;
    this.#marked = marked;
    this.#cost = cost;
  }

  ownClaims(override: TierOverride): ClaimSet {
    return override.ownClaims(unitsOf(override.tier, this.#cost));
  }

  claims(): PlannedClaims {
    const plan = this.#plan;
    const { lengths, marks } = plan;
    const marked = this.#marked.claims;
    // Of its final length: an array that grows reserves room for 16 more.
    const claims = new Array<Claim>(marked.length);
    let size = 0;
    let tiers = plan.tiers;
    let zeroLimits: Outcome[] | undefined;
    for (let place = 0; place < marked.length; place += 1) {
      const claim = marked[place]!;
      if (claim.key.length <= lengths[place]!) {
        claims[size] = claim;
        size += 1;
        continue;
      }
      const tier = plan.tiers[place]!;
      const cost = unitsOf(tier, this.#cost);
      const override = marks[place]!.overrideOf(claim.key);
      if (override === undefined || !override.applies) {
        claims[size] = { ...claim, key: marks[place]!.plain(claim.key), slotHint: undefined };
        size += 1;
        continue;
      }
      this.overrides = this.overrides === NONE ? [override] : [...this.overrides, override];
      if (override.override.limit === null) tiers = tiers.filter((each) => each !== tier);
      else if (override.deniesAll) (zeroLimits ??= []).push(zeroLimitOutcome(tier, cost, tier.shadow));
      else {
        claims[size] = override.claim(cost);
        size += 1;
      }
    }
    if (this.overrides === NONE) return { plan, tiers, claims, zeroLimits, labels: undefined };
    const overridden: PlannedClaims & Overridden = {
      plan,
      tiers,
      claims: size < claims.length ? claims.slice(0, size) : claims,
      zeroLimits,
      labels: undefined,
      overridden: this,
    };
    return overridden;
  }
}

function unitsOf(tier: TierDefinition<never>, cost: number): number {
  return typeof tier.cost === 'number' ? tier.cost : cost;
}
