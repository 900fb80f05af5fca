import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Answer } from '../../model/answer.js';
import type { Claim } from '../../model/claim.js';
import type { Inspection } from '../../model/inspection.js';
import type { Policy } from '../../model/policy.js';
import type { Charge, RequestFacts } from '../../stores/layer.js';
import type { KeyBounds } from '../keys/key-function.js';

/** The claims of one request. */
export interface ClaimSet {
  /** The tiers that apply. */
  readonly tiers: readonly TierInfo[];
  /** What they ask, in the order of the tiers. */
  readonly claims: readonly Claim[];
  /** The texts of `label`, by the name of the tier. It is undefined if no tier has a label. */
  readonly labels: ReadonlyMap<string, string> | undefined;
  /** What happens to the answers of claims that were changed. */
  readonly changed?: ChangedClaims | undefined;
}

/** The claims of a request on the tiers of a plan. */
export interface PlannedClaims extends ClaimSet, RequestFacts {
  readonly labels: ClaimSet['labels'];
  readonly plan: { readonly consume: Charge; readonly chargeRates: Charge; readonly needsStore: boolean };
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

/** What happens to the answers of claims that were changed. */
export interface ChangedClaims {
  charged(answer: Answer, peek: Peek): MaybePromise<Answer>;
  peeked(answer: Answer, peek: Peek): MaybePromise<Answer>;
  inspected(inspections: readonly Inspection[], peek: Peek): Promise<readonly Inspection[]>;
}

/** What a store says of other claims, by which nothing changes. */
export type Peek = (claimSet: ClaimSet) => MaybePromise<Answer>;
