import { chain, chainToPromise, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { unitsFor, type IdentityNumbers } from '../limiter/claims/claim-builder.js';
import type { ClaimChange, ClaimSet, PlannedClaims } from '../limiter/claims/claim-set.js';
import { claimSetOf } from '../limiter/claims/claims-of-values.js';
import { ONE_UNIT, unitsOf, valuesOf, type TierValues } from '../limiter/claims/tier-values.js';
import type { Plan } from '../limiter/compile.js';
import type { Piped } from '../limiter/piped.js';
import type { Pipeline } from '../limiter/pipeline.js';
import type { TierDefinition } from '../limiter/tiers/tier-definition.js';
import type { Decision } from '../model/decision.js';
import type { Inspection } from '../model/inspection.js';
import type { Override } from '../model/override.js';
import type { Answer } from '../stores/store.js';
import { fitTimes, forgetFits } from './fit-times.js';
import { inForceIn, type InForce } from './in-force.js';
import { MarkedKeys } from './marked-keys.js';
import { overriddenClaims, overrideInForce, shownLimit } from './overridden-claims.js';
import { overriddenInspections } from './overridden-inspections.js';
import { OverriddenAnswer } from './overridden-answer.js';
import type { OverrideTable } from './override-table.js';
import { hasMark, steadyClaims, type MarkedPlan } from './steady-claims.js';

type Tiers<S> = readonly TierDefinition<S>[];

const unchanged: ClaimChange = (claims) => claims;

/** The pipeline of a limiter with overrides, until one of an identity comes or goes. */
export class OverriddenPipeline<S> implements Pipeline<S> {
  readonly #piped: Piped<S>;
  readonly #table: OverrideTable;
  readonly #marks = new WeakMap<TierDefinition<never>, MarkedKeys>();
  readonly #use = { isOver: false };

  constructor(piped: Piped<S>, table: OverrideTable) {
    this.#piped = piped;
    this.#table = table;
  }

  compile(tiers: Tiers<S>): Plan<S> {
    const plan = this.#piped.direct.compile(tiers);
    const marks = this.#marksOf(tiers);
    if (marks.every((each) => each === undefined)) return plan;
    const keys = tiers.map(({ storeKeys }, place) => {
      if (marks[place] === undefined) return storeKeys;
      storeKeys.retire();
      return marks[place].keys;
    });
    // A balance may pay in the place of a limit of 0.
    const isSteady = plan.isStatic && tiers.every(({ policy }) => policy.covers === undefined);
    const lengths = marks.map((each) => each?.length ?? Infinity);
    const marked: MarkedPlan<S> = { ...plan, keys, marks, lengths, isSteady };
    return marked;
  }

  build(plan: Plan<S> | MarkedPlan<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    const { direct, claimBuilder } = this.#piped;
    if (!('marks' in plan)) return direct.build(plan, subject, cost);
    if (!plan.isSteady) {
      return claimBuilder.resolve(plan.tiers, subject, {
        call: (tier) => valuesOf(tier, subject, cost),
        build: (values, partition) => claimsOfValues(plan, values, partition),
      });
    }
    const claimSet = direct.build(plan, subject, cost);
    return isPromise(claimSet)
      ? chain(claimSet, (each) => steadyClaims(plan, each, cost))
      : steadyClaims(plan, claimSet, cost);
  }

  buildUnits(tiers: Tiers<S>, subject: S, cost = 1): MaybePromise<ClaimSet> {
    return this.#piped.claimBuilder.resolve(tiers, subject, {
      call: (tier) => unitsOf(tier, subject, cost),
      build: (values, partition) => {
        const keys = tiers.map(({ storeKeys }, place) => storeKeys.keyOf(values[place]!.key, partition) ?? '');
        return overriddenClaims({ tiers, values, keys, marks: this.#marksOf(tiers) }, plain, shownLimit);
      },
    });
  }

  buildFor(tiers: Tiers<S>, identity: unknown, numbers: IdentityNumbers): ClaimSet {
    const partition = this.#piped.claimBuilder.partitionOf(identity, numbers);
    const marks = this.#marksOf(tiers);
    const keys = tiers.map(({ storeKeys }) => storeKeys.keyOf(identity, partition)!);
    const values = tiers.map((tier, place): TierValues => {
      const isOverridden = overrideInForce(tier, marks[place], keys[place]!) !== undefined;
      // An override needs no limit of a subject.
      if (!isOverridden || typeof tier.limit !== 'function') return unitsFor(tier, identity, numbers);
      return { ...ONE_UNIT, key: identity, limit: numbers.limit ?? tier.policy.limit, cost: numbers.cost };
    });
    return overriddenClaims({ tiers, values, keys, marks }, plain, shownLimit);
  }

  charge(claimSet: PlannedClaims): MaybePromise<Decision> {
    if (inForceIn(claimSet) === undefined) return this.#piped.direct.charge(claimSet);
    return this.chargeChanged(claimSet, unchanged);
  }

  chargeChanged(claimSet: PlannedClaims, change: ClaimChange): MaybePromise<Decision> {
    const { direct } = this.#piped;
    const inForce = inForceIn(claimSet);
    if (inForce === undefined) return direct.chargeChanged(claimSet, change);
    const answer = chain(direct.answer(changedBy(change, claimSet)), (each) => {
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

  /** Ends the use of its keys. */
  retire(): void {
    this.#use.isOver = true;
  }

  #overridden(answer: Answer, inForce: InForce): MaybePromise<Answer> {
    const fits = fitTimes(answer.outcomes, inForce, (own) => this.#piped.direct.peek(own));
    return isPromise(fits)
      ? chain(fits, (each) => new OverriddenAnswer(answer, inForce, each))
      : new OverriddenAnswer(answer, inForce, fits);
  }

  #marksOf(tiers: Tiers<S>): readonly (MarkedKeys | undefined)[] {
    const { isPartitioned } = this.#piped.claimBuilder;
    return tiers.map((tier) => {
      const overrides = this.#table.overridesOf(tier.name);
      if (overrides === undefined) return undefined;
      const known = this.#marks.get(tier);
      if (known !== undefined) return known;
      const marks = new MarkedKeys(tier, { overrides, isPartitioned, use: this.#use });
      this.#marks.set(tier, marks);
      return marks;
    });
  }
}

function changedBy(change: ClaimChange, claimSet: PlannedClaims): PlannedClaims {
  return change === unchanged ? claimSet : { ...claimSet, claims: change(claimSet.claims) };
}

const plain = (claimSet: ClaimSet): ClaimSet => claimSet;

/** Of tiers with functions. A tier that does not apply by its limit may apply by an override. */
function claimsOfValues(
  plan: MarkedPlan<never>,
  values: readonly TierValues[],
  partition: string | undefined,
): PlannedClaims {
  const { tiers, marks, lengths } = plan;
  const finish = (each: ClaimSet): PlannedClaims => Object.assign(each, { plan });
  const claimSet = finish(claimSetOf(plan, values, partition));
  const areAllClaimed = claimSet.claims.length === tiers.length;
  if (areAllClaimed && !hasMark(claimSet, lengths)) return claimSet;
  const marked = plan.keys.map((keys, place) => keys.keyOf(values[place]!.key, partition) ?? '');
  if (!marked.some((key, place) => key.length > lengths[place]!)) return claimSet;
  const keys = marked.map((key, place) => marks[place]?.plain(key) ?? key);
  return overriddenClaims({ tiers, values, keys, marks }, finish);
}
