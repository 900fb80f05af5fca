import { UsageError } from '../model/errors.js';
import { show } from '../options/show.js';
import { limiterOf, livingLimiters, setView, type LimiterView, type TierView } from '../stores/limiters-of.js';
import type { Store } from '../stores/store.js';
import { digestOf, identityText } from './keys/store-keys.js';
import type { Limiter } from './limiter.js';
import type { PlanBook } from './plan-book.js';
import type { TieredLimiter } from './tiered-limiter.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/**
 * The limiters of a store and their tiers: for dashboards, for metrics of limits, and to answer what a client has left
 * where only the store is at hand.
 *
 * @param store the one that was passed to the limiters
 * @example
 * const tiers = limitersOf(store).flatMap((limiter) => limiter.tiers.map(({ name, limit }) => `${name}: ${limit}`));
 */
export function limitersOf(store: Store): readonly LimiterView[] {
  return livingLimiters(store).map((limiter) => viewOf(limiter as TieredLimiter<never>));
}

function viewOf(limiter: TieredLimiter<never>): LimiterView {
  const { prefix, requests } = limiter;
  const { book, claimBuilder } = requests;
  const digester = limiter.digester();
  const view: LimiterView = {
    prefix,
    tiers: book.known().map((tier) => tierViewOf(tier, book)),
    isPartitioned: claimBuilder.isPartitioned,
    isKeyed: digester !== undefined,
    hasOtherTiers: book.isOpen,
    get overrides() {
      return requests.overrides();
    },
    digestOf: (identity) => (digester ?? digestOf)(identityText(identity)),
    of: (identity, options) => limiter.of(identity, options),
  };
  setView(view, limiter);
  return view;
}

function tierViewOf({ name, shadow, policy, limit, key }: TierDefinition<never>, book: PlanBook<never>): TierView {
  const isByRequest = typeof limit === 'function' || book.isVaried(name);
  const { plans } = Object(limit) as { plans?: TierView['plans'] };
  const kinds = key.kinds && { kinds: key.kinds };
  return { name, shadow, policy, limit: isByRequest ? 'by-request' : policy.limit, ...kinds, ...(plans && { plans }) };
}

/** The limiter that an application has, or that is shown to operators. @param call as messages begin @throws UsageError for another value */
export function limiterBehind<S>(call: string, limiter: Limiter<S> | LimiterView): TieredLimiter<S> {
  const found = limiterOf(Object(limiter) as object);
  if (found !== undefined) return found as TieredLimiter<S>;
  const rule = 'limiter must be what createLimiter or limitersOf has returned';
  throw new UsageError('USAGE_INVALID', `${call}: ${rule}, got ${show(limiter)}`);
}
