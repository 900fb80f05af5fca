import { admitsNothing, type Policy } from '../model/policy.js';
import type { ComposedStore, Store } from '../stores/store.js';
import type { TierChange } from './claims/claim-change.js';
import type { PlanFacts } from './claims/plan.js';
import { type OnNotice, areUncached, bringing, layersOf } from './tiers/tier-feature.js';
import { fixedRates, type TierDefinition } from './tiers/tier-definition.js';

/** Where the claims of a plan go. */
interface PlanStore {
  /** The store of the options. */
  readonly store: Store;
  readonly composed: Pick<ComposedStore, 'chargeFor'>;
  /** It is false with `denyCache: false`. */
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
  const features = layersOf(tiers, parts);
  const isCached = parts.isCached && !areUncached(tiers);
  const isLeased = tiers.some(({ lease }) => lease !== undefined);
  const needs = { isCached, isLeased, features, owner: limiter };
  const mayHold = policies.some(({ algorithm }) => algorithm.endsWithRequest);
  const mayPause = policies.some(({ algorithm }) => algorithm.chargesNobody);
  const isStatic = !isPartitioned && tiers.every((tier) => tier.isStatic);
  return {
    tiers,
    keys: tiers.map(({ storeKeys }) => storeKeys),
    hasOneKey: new Set(tiers.map(({ key }) => key)).size === 1,
    rates: isPartitioned || features.length > 0 ? undefined : fixedRates(tiers),
    isStatic,
    needsStore: isStatic && change === undefined && !policies.every(admitsNothing),
    mayHold,
    mayBring: tiers.some((tier) => bringing(tier) !== undefined),
    mayWait: tiers.some(mayWait),
    change,
    consume: composed.chargeFor({ ...needs, mayHold, mayPause }),
    chargeRates: composed.chargeFor({ ...needs, mayHold: false, mayPause: false }),
  };
}

/** True for a tier whose requests may wait for units that end with requests. */
export function mayWait({ policy }: TierDefinition<never>): boolean {
  return 'wait' in policy && (policy.wait as number) > 0;
}
