import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Decision } from '../../model/decision.js';
import type { Rate } from '../../stores/decided-rates.js';
import type { Charge } from '../../stores/layer.js';
import type { StoreKeys } from '../keys/store-keys.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import type { TierChange } from './claim-change.js';

/** Decides a request. @throws UsageError when a function of a tier fails; as a rejection where one is async */
export type Check<S> = (subject: S, cost: number) => MaybePromise<Decision>;

/** Tiers and what follows from them. It is decided when they are defined, so that no request asks again. */
export interface PlanFacts<S> {
  readonly tiers: readonly TierDefinition<S>[];
  /** Only the keys of its claims depend on the subject. */
  readonly isStatic: boolean;
  /** A claim of each of its requests has a limit above 0. */
  readonly needsStore: boolean;
  /** All tiers have one key function. */
  readonly hasOneKey: boolean;
  /** A request may have units that come back when it ends. */
  readonly mayHold: boolean;
  /** A tier takes what requests bring of their denials. */
  readonly mayBring: boolean;
  /** A request may wait for units that end with requests. */
  readonly mayWait: boolean;
  /** The store keys of each tier. */
  readonly keys: readonly StoreKeys[];
  /** Decides without claims. It exists only in memory, where nothing but the key and the cost differs from request to request. */
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
