import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import type { Charge, RequestFacts } from '../../stores/layer.js';
import type { KeyBounds } from '../key-function.js';

/** The claims of one request. */
export interface ClaimSet {
  /** The tiers that apply. */
  readonly tiers: readonly TierInfo[];
  /** What they ask, in the order of the tiers. */
  readonly claims: readonly Claim[];
  /** The texts of `label`, by the name of the tier. Undefined without one. */
  readonly labels: ReadonlyMap<string, string> | undefined;
}

/** What a plan does with the claims of a request. */
export interface Charger {
  /** Charges claims on its tiers, past the layers that none of them needs. */
  readonly consume: Charge;
  /** Charges rates that are not those of a new request: what a settlement or an extension adds. */
  readonly chargeRates: Charge;
}

/** The claims of a request on the tiers of a plan. */
export interface PlannedClaims extends ClaimSet, RequestFacts {
  readonly labels: ClaimSet['labels'];
  readonly plan: Charger;
}

/** The facts of a tier that a decision needs. */
export interface TierInfo {
  readonly name: string;
  readonly policy: Policy;
  /** Undefined for a tier that takes the cost of the request. */
  readonly cost: unknown;
  readonly bounds: KeyBounds | undefined;
  /** Of callers that share the limit. */
  readonly own?: { readonly bounds?: KeyBounds | undefined } | undefined;
  readonly demotes: boolean;
}
