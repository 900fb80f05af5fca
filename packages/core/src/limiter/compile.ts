import type { MaybePromise } from '../async/maybe-promise.js';
import type { LayerName } from '../model/algorithm-facts.js';
import type { Decision } from '../model/decision.js';
import type { Policy } from '../model/policy.js';
import type { Rate } from '../stores/decided-rates.js';
import type { Charge } from '../stores/layer.js';
import type { ComposedStore, Store } from '../stores/store.js';
import type { TierChange } from './claim-change.js';
import type { StoreKeys } from './claims/store-keys.js';
import type { OnNotice } from './on-notice.js';
import { fixedRates } from './tiers/fixed-rates.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { areUncached, layersOf } from './tiers/tier-feature.js';

/** Decides a request. @throws UsageError when a function of a tier fails; as a rejection where one is async */
export type Check<S> = (subject: S, cost: number) => MaybePromise<Decision>;

/** Tiers and what follows from them. It is decided when they are defined, so that no request asks again. */
export interface PlanFacts<S> {
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
  /** Undefined while the claims of its requests stay as they are. */
  readonly change: TierChange | undefined;
  /** Charges claims on its tiers, past the layers that none of them needs. */
  readonly consume: Charge;
  /** Charges rates that are not those of a new request: what a settlement or an extension adds. */
  readonly chargeRates: Charge;
}

/** The facts, and what decides by them. */
export interface Plan<S> extends PlanFacts<S> {
  readonly check: Check<S>;
}

/** Where the claims of a plan go. */
interface PlanStore {
  /** The store of the options. */
  readonly store: Store;
  readonly composed: Pick<ComposedStore, 'chargeFor'>;
  /** False with `denyCache: false`. */
  readonly isCached: boolean;
  /** The limiter: what waits leaves with it, and what its requests hold ends with it. */
  readonly limiter: object;
  readonly isPartitioned: boolean;
  readonly onNotice: OnNotice | undefined;
  readonly change: TierChange | undefined;
}

/** What follows from tiers. */
export function compile<S>(tiers: readonly TierDefinition<S>[], parts: PlanStore): PlanFacts<S> {
  const { composed, limiter, isPartitioned, change } = parts;
  const policies: readonly Policy[] = tiers.map(({ policy }) => policy);
  const names = new Set(policies.flatMap(({ algorithm }) => algorithm.layers));
  const features = layersOf(tiers, parts);
  const isCached = parts.isCached && !areUncached(tiers);
  const isLeased = tiers.some(({ lease }) => lease !== undefined);
  const needs = { isCached, isLeased, features, owner: limiter };
  return {
    tiers,
    keys: tiers.map(({ storeKeys }) => storeKeys),
    hasOneKey: new Set(tiers.map(({ key }) => key)).size === 1,
    rates: isPartitioned || features.length > 0 ? undefined : fixedRates(tiers),
    isStatic: !isPartitioned && tiers.every((tier) => tier.isStatic),
    mayHold: policies.some(({ algorithm }) => algorithm.endsWithRequest),
    mayWait: tiers.some(mayWait),
    change,
    consume: composed.chargeFor({ ...needs, names }),
    chargeRates: composed.chargeFor({ ...needs, names: RATES }),
  };
}

const RATES: ReadonlySet<LayerName> = new Set();

/** True for a tier whose requests may wait for units that end with requests. */
export function mayWait({ policy }: TierDefinition<never>): boolean {
  return 'wait' in policy && (policy.wait as number) > 0;
}
