import { chain, isPromise } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { Decision } from '../model/decision.js';
import type { Policy } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import type { Rate } from '../stores/decided-rates.js';
import type { WrappedStore } from '../stores/composed/compose.js';
import type { Answer, Store } from '../stores/store.js';
import { withPatience, type Charger, type PlannedClaims } from './claims/claim-set.js';
import type { StoreKeys } from './claims/store-keys.js';
import type { OnNotice } from './on-notice.js';
import { fixedRates } from './tiers/fixed-rates.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { layersOf, type Charge } from './tiers/tier-feature.js';

/** Decides a request. @throws UsageError when a function of a tier fails; as a rejection where one is async */
export type Check<S> = (subject: S, cost: number) => MaybePromise<Decision>;

/** Tiers and what follows from them. It is decided when they are defined, so that no request asks again. */
export interface PlanFacts<S> extends Charger {
  readonly tiers: readonly TierDefinition<S>[];
  /** Only the keys of its claims depend on the subject. */
  readonly isStatic: boolean;
  /** All tiers have one key function. */
  readonly hasOneKey: boolean;
  /** A request may have units that come back when it ends. */
  readonly mayHold: boolean;
  /** A request may wait for units that end with requests. */
  readonly mayWait: boolean;
  /** The store keys of each tier. */
  readonly keys: readonly StoreKeys[];
  /** In memory, where nothing but key and cost differs from request to request: what decides without claims. */
  readonly rates: readonly Rate[] | undefined;
}

/** The facts, and what decides by them. */
export interface Plan<S> extends PlanFacts<S> {
  readonly check: Check<S>;
}

/** Where the claims of a plan go. */
interface PlanStore {
  /** The store of the options. */
  readonly store: Store;
  readonly decider: WrappedStore;
  /** The same without a deny cache. */
  readonly uncached: WrappedStore;
  /** The limiter: what waits leaves with it. */
  readonly owner: object;
  /** Has what receipts stand for end with the limiter. */
  readonly assign: (receipts: readonly Receipt[]) => void;
  readonly isPartitioned: boolean;
  readonly onNotice: OnNotice | undefined;
}

/** What follows from tiers. */
export function compile<S>(tiers: readonly TierDefinition<S>[], parts: PlanStore): PlanFacts<S> {
  const { assign, isPartitioned } = parts;
  const layers = layersOf(tiers, parts);
  const decider = layers.some(({ isUncached }) => isUncached) ? parts.uncached : parts.decider;
  const policies: readonly Policy[] = tiers.map(({ policy }) => policy);
  const onAnswer = (answer: Answer) => {
    assign(answer.receipts);
    return answer;
  };
  const areDirect = policies.every(({ algorithm }) => algorithm.layers.length === 0);
  const waits = tiers.some(mayWait);
  const patience = { owner: parts.owner };
  const heldBy = (claims: readonly Claim[]) =>
    waits && claims[0]?.patience === undefined ? withPatience(claims, patience) : claims;
  const charge: Charge = areDirect
    ? rateCharger(tiers, decider)
    : (claims) => chain(decider.consume(heldBy(claims)), onAnswer);
  const around = (inner: Charge) => layers.reduce((each, layer) => layer.around?.(each) ?? each, inner);
  return {
    tiers,
    keys: tiers.map(({ storeKeys }) => storeKeys),
    hasOneKey: new Set(tiers.map(({ key }) => key)).size === 1,
    rates: isPartitioned || layers.length > 0 ? undefined : fixedRates(tiers),
    isStatic: !isPartitioned && tiers.every((tier) => tier.isStatic),
    mayHold: policies.some(({ algorithm }) => algorithm.endsWithRequest),
    mayWait: waits,
    consume: around(charge),
    chargeRates: around(parts.decider.chargeRates),
  };
}

/** Makes claims of requests, and charges them. */
interface ClaimSteps<S> {
  build(plan: PlanFacts<S>, subject: S, cost: number): MaybePromise<PlannedClaims>;
  charge(claims: PlannedClaims): MaybePromise<Decision>;
}

/** The check of a plan whose requests become claims. */
export function checkByClaims<S>(plan: PlanFacts<S>, pipeline: ClaimSteps<S>): Check<S> {
  return (subject, cost) => {
    const claimSet = pipeline.build(plan, subject, cost);
    return isPromise(claimSet) ? claimSet.then((each) => pipeline.charge(each)) : pipeline.charge(claimSet);
  };
}

/** True for a tier whose requests may wait for units that end with requests. */
export function mayWait({ policy }: TierDefinition<never>): boolean {
  return 'wait' in policy && (policy.wait as number) > 0;
}

function rateCharger(tiers: readonly TierDefinition<never>[], decider: WrappedStore): Charge {
  const chargesDenied = tiers.some(({ charge }) => charge !== 'admitted');
  const isLeased = tiers.some(({ lease }) => lease !== undefined);
  return chargesDenied ? decider.chargeRates : decider.chargerOf(isLeased);
}
