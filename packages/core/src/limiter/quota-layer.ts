import { quotas, type QuotaPolicies } from '../algorithms/quota-policies.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { Answer, Store } from '../stores/store.js';
import type { OnNotice } from './on-notice.js';
import type { TierContext } from './tiers/tier-context.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import type { Tier } from './tiers/tier.js';

/** Charges claims. */
export type Charge = (claims: readonly Claim[], labels?: ReadonlyMap<string, string>) => MaybePromise<Answer>;

/** What `@sluice/core/quotas` adds to limiters. */
export interface QuotaRoom extends QuotaPolicies {
  /** The tiers with what a balance takes of those that it covers. @throws ConfigError */
  completed<S>(tiers: readonly Tier<S>[]): readonly Tier<S>[];
  /** @throws ConfigError for tiers that do not go together, or that the store does not take */
  check(tiers: readonly TierDefinition<never>[], context: Pick<TierContext<never>, 'store' | 'isPartitioned'>): void;
  /** What the tiers of a plan add to its charges. Undefined where they use none of it. */
  layerOf(tiers: readonly TierDefinition<never>[], parts: LayerParts): QuotaLayer | undefined;
}

/** What a layer needs of a limiter. */
export interface LayerParts {
  readonly store: Store;
  readonly onNotice: OnNotice | undefined;
}

export interface QuotaLayer {
  /** A denial of the past may be paid now: no cache answers. */
  readonly isUncached: boolean;
  /** The same charge, which also counts and gives notice. */
  around(charge: Charge): Charge;
}

/** Undefined where no program has imported the room. */
export function quotaRoom(): QuotaRoom | undefined {
  return quotas() as QuotaRoom | undefined;
}
