import {
  type Answer,
  chain,
  chainToPromise,
  checkByClaims,
  type CheckedRates,
  type ClaimSet,
  type Decision,
  type IdentityNumbers,
  type Inspection,
  isPromise,
  type MaybePromise,
  ONE_UNIT,
  type Override,
  type Piped,
  type Pipeline,
  type Plan,
  type PlanFacts,
  type PlannedClaims,
  type TierDefinition,
  type TierValues,
  unitsFor,
  unitsOf,
  valuesOf,
} from '@sluice/core/internal';
import { fitTimes, forgetFits } from './fit-times.js';
import { inForceIn, type InForce } from './in-force.js';
import {
  claimsInForce,
  hasOverride,
  keyedBy,
  overriddenClaims,
  overridesFor,
  shownLimit,
  staticClaimsInForce,
  type OverriddenPlan,
} from './overridden-claims.js';
import { overriddenInspections } from './overridden-inspections.js';
import { OverriddenAnswer } from './overridden-answer.js';
import type { OverrideTable } from './override-table.js';
import { TierOverrides } from './tier-overrides.js';

type Tiers<S> = readonly TierDefinition<S>[];

/** The pipeline of a limiter with overrides, until one of an identity comes or goes. */
export class OverriddenPipeline<S> implements Pipeline<S> {
  readonly #piped: Piped<S>;
  readonly #table: OverrideTable;
  readonly #overrides = new WeakMap<TierDefinition<never>, TierOverrides>();

  constructor(piped: Piped<S>, table: OverrideTable) {
    this.#piped = piped;
    this.#table = table;
  }

  compile(tiers: Tiers<S>): Plan<S> {
    const plan = this.#piped.direct.compile(tiers);
    const overrides = this.#overridesOf(tiers);
    if (overrides.every((each) => each === undefined)) return plan;
    const overridden = { ...plan, overrides };
    const left = {
      isChanged: (request: CheckedRates) => hasOverride(request, overrides),
      charge: (request: CheckedRates) => this.charge(staticClaimsInForce(overridden, request, request.cost)),
    };
    return { ...overridden, check: this.#piped.direct.checkOf(overridden, left) ?? checkByClaims(overridden, this) };
  }

  build(plan: PlanFacts<S> | OverriddenPlan<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    const { direct, claimBuilder } = this.#piped;
    if (!('overrides' in plan)) return direct.build(plan, subject, cost);
    if (!plan.isStatic) {
      return claimBuilder.resolve(plan.tiers, subject, {
        call: (tier) => valuesOf(tier, subject, cost),
        build: (values, partition) => claimsInForce(plan, values, partition),
      });
    }
    const claimSet = direct.build(plan, subject, cost);
    return isPromise(claimSet)
      ? chain(claimSet, (each) => staticClaimsInForce(plan, each, cost))
      : staticClaimsInForce(plan, claimSet, cost);
  }

  buildUnits(tiers: Tiers<S>, subject: S, cost = 1): MaybePromise<ClaimSet> {
    return this.#piped.claimBuilder.resolve(tiers, subject, {
      call: (tier) => unitsOf(tier, subject, cost),
      build: (values, partition) => {
        const keyed = tiers.map((tier, place) => keyedBy(tier, values[place]!.key, partition));
        const found = overridesFor(keyed, this.#overridesOf(tiers));
        return overriddenClaims({ tiers, values, keyed, found }, shownLimit);
      },
    });
  }

  buildFor(tiers: Tiers<S>, identity: unknown, numbers: IdentityNumbers): ClaimSet {
    const partition = this.#piped.claimBuilder.partitionOf(identity, numbers);
    const keyed = tiers.map((tier) => keyedBy(tier, identity, partition));
    const found = overridesFor(keyed, this.#overridesOf(tiers));
    const values = tiers.map((tier, place): TierValues => {
      // An override needs no limit of a subject.
      if (found?.[place] === undefined || typeof tier.limit !== 'function') return unitsFor(tier, identity, numbers);
      return { ...ONE_UNIT, key: identity, limit: numbers.limit ?? tier.policy.limit, cost: numbers.cost };
    });
    return overriddenClaims({ tiers, values, keyed, found }, shownLimit);
  }

  charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    const { direct } = this.#piped;
    const inForce = inForceIn(claimSet);
    if (inForce === undefined) return direct.charge(claimSet);
    const answer = chain(direct.answer(claimSet), (each) => {
      forgetFits(each, inForce);
      return this.#overridden(each, inForce);
    });
    return isPromise(answer)
      ? chainToPromise(answer, (each) => direct.decided(claimSet, each))
      : direct.decided(claimSet, answer);
  }

  peek(claimSet: ClaimSet): MaybePromise<Answer> {
    const { direct } = this.#piped;
    const inForce = inForceIn(claimSet);
    const answer = direct.peek(claimSet);
    return inForce === undefined ? answer : chain(answer, (each) => this.#overridden(each, inForce));
  }

  inspect(claimSet: ClaimSet): Promise<readonly Inspection[]> {
    const { direct } = this.#piped;
    const inForce = inForceIn(claimSet);
    return inForce === undefined ? direct.inspect(claimSet) : overriddenInspections(direct, claimSet, inForce);
  }

  overrides(): readonly Override[] {
    return this.#table.list();
  }

  #overridden(answer: Answer, inForce: InForce): MaybePromise<Answer> {
    const fits = fitTimes(answer.outcomes, inForce, (own) => this.#piped.direct.peek(own));
    return isPromise(fits)
      ? chain(fits, (each) => new OverriddenAnswer(answer, inForce, each))
      : new OverriddenAnswer(answer, inForce, fits);
  }

  #overridesOf(tiers: Tiers<S>): readonly (TierOverrides | undefined)[] {
    const { isPartitioned } = this.#piped.claimBuilder;
    return tiers.map((tier) => {
      const owned = this.#table.overridesOf(tier.name);
      if (owned === undefined) return undefined;
      const known = this.#overrides.get(tier) ?? new TierOverrides(tier, owned, isPartitioned);
      this.#overrides.set(tier, known);
      return known;
    });
  }
}
