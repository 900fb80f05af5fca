import { isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Decision } from '../model/decision.js';
import type { Rate, RateStore } from '../stores/decided-rates.js';
import { CheckedRates } from './checked-rates.js';
import { identitiesOf, type Identities } from './claims/static-claims.js';
import type { Check, PlanFacts } from './compile.js';
import { TieredDecision } from './decisions/tiered-decision.js';

/** What claims decide of the requests of a plan. */
export interface LeftToClaims {
  /** True for a request whose claims are to change. @default none */
  readonly isChanged?: (request: CheckedRates) => boolean;
  /** Decides these requests, and what the kernels leave over, such as a key whose state has another form. */
  readonly charge: (request: CheckedRates) => MaybePromise<Decision>;
}

interface RateContext extends LeftToClaims {
  /** The limiter of the decisions. */
  readonly limiter: object;
  readonly store: RateStore;
}

/**
 * The check of a plan in memory whose tiers are fixed rates: from the key functions to the decision, without a claim. It is for
 * the requests that a limiter has most, and decides as claims do: rate-check.spec.ts compares the two.
 */
export function rateCheck<S>(plan: PlanFacts<S>, fixed: readonly Rate[], context: RateContext): Check<S> {
  const { limiter, store, isChanged, charge } = context;
  const isJoined = plan.hasOneKey && store.join(plan.keys.map(({ end }) => end));
  const rates = fixed.map((rate, index) => ({
    ...rate,
    number: store.pin(rate.policy),
    offset: isJoined ? index : 0,
  }));
  const decide = (identities: Identities, cost: number): MaybePromise<Decision> => {
    const checked = new CheckedRates(plan, rates, identities, cost);
    if (isChanged?.(checked) === true || !store.check(rates, checked)) return charge(checked);
    const decision = new TieredDecision(checked, limiter, checked);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  };
  return (subject, cost) => {
    const identities = identitiesOf(plan, subject);
    return isPromise(identities) ? identities.then((each) => decide(each, cost)) : decide(identities, cost);
  };
}
