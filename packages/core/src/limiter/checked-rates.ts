import type { Claim } from '../model/claim.js';
import { DecidedRates, type Rate, type SlotHint } from '../stores/decided-rates.js';
import type { PlannedClaims } from './claims/claim-set.js';
import { claimSetOf } from './claims/claims-of-values.js';
import { statedValues, storedKeyAt, type Identities } from './claims/identities.js';
import type { PlanFacts } from './claims/plan.js';

/** A request of a plan whose tiers are fixed rates. Its claims are made when somebody asks for them. */
export class CheckedRates extends DecidedRates implements PlannedClaims {
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
    return claimSetOf(this.plan, statedValues(this.plan, this.identities, this.cost), undefined).claims;
  }

  storeKeyAt(index: number): string {
    return this.hintAt(index).storeKey;
  }

  hintAt(index: number): SlotHint {
    return storedKeyAt(this.plan.keys, this.identities, index);
  }
}
