import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { HeldPolicy } from '../model/held-policy.js';
import type { Policy } from '../model/policy.js';
import type { ComposedStore } from '../stores/compose.js';
import type { Answer, Store } from '../stores/store.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/** Tiers and what follows from them. It is decided when they are defined, so that no request asks again. */
export interface Plan<S> {
  readonly tiers: readonly TierDefinition<S>[];
  /** Only the keys of its claims depend on the subject. */
  readonly isStatic: boolean;
  /** A request may hold permits. */
  readonly mayHold: boolean;
  /** A request may wait for a permit. */
  readonly mayWait: boolean;
  /** Charges claims on its tiers, past the layers that none of them needs. */
  readonly consume: (claims: readonly Claim[]) => MaybePromise<Answer>;
}

/** Where the claims of a plan go. */
interface PlanStore {
  readonly composed: ComposedStore;
  /** The store behind all layers. */
  readonly decider: Store;
  readonly isPartitioned: boolean;
}

/** Makes the plan of tiers. */
export function compile<S>(
  tiers: readonly TierDefinition<S>[],
  { composed, decider, isPartitioned }: PlanStore,
): Plan<S> {
  const policies: readonly Policy[] = tiers.map(({ policy }) => policy);
  const mustBeHeard = policies.some(({ heard }) => heard);
  return {
    tiers,
    isStatic: !isPartitioned && tiers.every((tier) => tier.isStatic),
    mayHold: policies.some(({ held }) => held),
    mayWait: policies.some((policy) => ((policy as Partial<HeldPolicy>).wait ?? 0) > 0),
    consume: (!mustBeHeard && composed.rates) || ((claims) => decider.consume(claims)),
  };
}
