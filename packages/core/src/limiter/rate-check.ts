import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Decision } from '../model/decision.js';
import type { Claim } from '../model/claim.js';
import { DecidedRates, type Rate, type RateStore, type SlotHint } from '../stores/decided-rates.js';
import type { PlannedClaims } from './claims/claim-set.js';
import { identitiesOf, storedKeyAt, type Identities } from './claims/identities.js';
import type { Check, PlanFacts } from './claims/plan.js';
import { changedClaims, statedClaims } from './claims/stated-claims.js';
import { TieredDecision } from './decisions/tiered-decision.js';

interface RateContext {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly store: RateStore;
  /** Decides requests with changed claims, and what the kernels leave over, such as a key whose state has another form. */
  readonly charge: (claims: PlannedClaims) => MaybePromise<Decision>;
}

/**
 * The check of a plan in memory whose tiers are fixed rates: from the key functions to the decision, without a claim. It is for
 * the requests that a limiter has most, and decides as claims do: rate-check.spec.ts compares the two.
 */
export function rateCheck<S>(plan: PlanFacts<S>, fixed: readonly Rate[], context: RateContext): Check<S> {
  const { limiter, store, charge } = context;
  const isJoined = plan.hasOneKey && store.join(plan.keys.map(({ end }) => end));
  const rates = fixed.map((rate, index) => ({
    ...rate,
    number: store.pin(rate.policy),
    offset: isJoined ? index : 0,
  }));
  const decide = (identities: Identities, cost: number): MaybePromise<Decision> => {
    const changed = plan.change && changedClaims(plan, identities, cost);
    if (changed !== undefined) return charge(changed);
    const checked = new CheckedRates(plan, rates, identities, cost);
    if (!store.check(rates, checked)) return charge(checked);
    const decision = new TieredDecision(checked, limiter, checked);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  };
  return (subject, cost) => {
    const identities = identitiesOf(plan, subject);
    return identities instanceof Promise ? identities.then((each) => decide(each, cost)) : decide(identities, cost);
  };
}

/** A request of a plan whose tiers are fixed rates. Its claims are made when somebody asks for them. */
class CheckedRates extends DecidedRates implements PlannedClaims {
  declare readonly plan: PlanFacts<never>;
  declare readonly identities: Identities;

  constructor(plan: PlanFacts<never>, rates: readonly Rate[], identities: Identities, cost: number) {
    super(rates, cost);
    this.plan = plan;
    this.identities = identities;
  }

  get tiers(): PlannedClaims['tiers'] {
    return this.plan.tiers;
  }

  get labels(): undefined {
    return undefined;
  }

  get claims(): readonly Claim[] {
    return statedClaims(this.plan, this.identities, this.cost);
  }

  storeKeyAt(index: number): string {
    return this.hintAt(index).storeKey;
  }

  hintAt(index: number): SlotHint {
    return storedKeyAt(this.plan.keys, this.identities, index);
  }
}
