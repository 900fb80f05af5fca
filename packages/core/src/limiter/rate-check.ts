import { isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import { channels } from '../events/channels.js';
import type { Decision } from '../model/decision.js';
import type { Rate, RateStore } from '../stores/decided-rates.js';
import { CheckedRates } from './checked-rates.js';
import type { TierChange } from './claims/claim-change.js';
import type { PlannedClaims } from './claims/claim-set.js';
import { plannedClaims } from './claims/claims-of-values.js';
import { identitiesOf, statedValues, type Identities } from './claims/identities.js';
import type { Check, PlanFacts } from './claims/plan.js';
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
  const { change } = plan;
  const isJoined = plan.hasOneKey && store.join(plan.keys.map(({ end }) => end));
  const rates = fixed.map((rate, index) => ({
    ...rate,
    number: store.pin(rate.policy),
    offset: isJoined ? index : 0,
  }));
  const decide = (identities: Identities, cost: number): MaybePromise<Decision> => {
    const checked = new CheckedRates(plan, rates, identities, cost);
    if (change !== undefined && isAnyChanged(change, checked)) {
      return charge(plannedClaims(plan, statedValues(plan, identities, cost), undefined));
    }
    if (!store.check(rates, checked)) return charge(checked);
    const decision = new TieredDecision(checked, limiter, checked);
    if (channels.decision.hasSubscribers) channels.decision.publish({ decision });
    return decision;
  };
  return (subject, cost) => {
    const identities = identitiesOf(plan, subject);
    return isPromise(identities) ? identities.then((each) => decide(each, cost)) : decide(identities, cost);
  };
}

/** A loop, because most requests have nothing that changes. */
function isAnyChanged(change: TierChange, request: CheckedRates): boolean {
  for (let place = 0; place < request.rates.length; place += 1) {
    if (change.isChanged(place, request.storeKeyAt(place))) return true;
  }
  return false;
}
