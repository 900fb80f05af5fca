import { type ConfigError, UsageError } from '../model/errors.js';
import type { PlanBook } from './plan-book.js';
import { defineTiers } from './tiers/define-tiers.js';
import { tierError } from './tiers/tier-error.js';
import { bringing } from './tiers/tier-feature.js';
import type { TierContext } from './tiers/tier-context.js';
import type { TierDefinition } from './tiers/tier-definition.js';
import { checkTierNames } from './tiers/tier-names.js';
import type { Tier } from './tiers/tier.js';

/** Other tiers of a limiter, which were checked and are not in force yet. */
export interface PreparedTiers {
  /**
   * Puts them in force, between two checks.
   *
   * @throws ConfigError TIER_NAME_TAKEN when another limiter has taken a name since they were prepared
   */
  commit(): void;
}

/** The limiter that gets other tiers. */
interface Preparing<S> {
  readonly context: TierContext<S>;
  readonly book: PlanBook<S>;
}

/** @throws ConfigError, UsageError: see `prepare` of the limiter */
export function prepareTiers<S>(tiers: readonly Tier<S>[], { context, book }: Preparing<S>): PreparedTiers {
  const plan = book.fixed;
  if (plan === undefined) {
    const rule = 'a function chooses the tiers of this limiter, so let it return other arrays';
    throw new UsageError('USAGE_INVALID', `prepare: ${rule}`);
  }
  const defined = defineTiers(tiers, context);
  if (defined.some(isInFlight) && !plan.mayHold) throw newInFlight(defined);
  if (!plan.mayBring) refuseBringing(defined);
  for (const tier of defined) {
    const before = plan.tiers.find(({ name }) => name === tier.name);
    if (before !== undefined) checkBucket(tier, before);
  }
  return {
    commit() {
      checkTierNames(defined, context);
      book.replace(defined);
    },
  };
}

/**
 * A bucket stores the time in which its units refill. Another such time at the same state would give units back, each time that
 * the limit moves.
 *
 * @throws ConfigError LIMIT_INVALID
 */
function checkBucket({ name, limit, policy }: TierDefinition<never>, { policy: before }: TierDefinition<never>): void {
  const isBucket = policy.algorithm.refill === 'evenly';
  if (!isBucket || typeof limit === 'function' || policy.dimensions !== before.dimensions) return;
  if (policy.quota * before.limit === before.quota * policy.limit) return;
  const rule = `must keep the ratio of limit to burst (${before.limit} : ${before.quota}), because another ratio would refill the bucket: change burst with it, write limit as a function, or give the tier another name; got ${policy.limit} : ${policy.quota}`;
  throw tierError(name, 'limit', { rule, value: limit, code: 'LIMIT_INVALID' });
}

/** Adapters decide when they are made whether requests give units back as they end. */
function newInFlight(tiers: readonly TierDefinition<never>[]): ConfigError {
  const { name, policy } = tiers.find(isInFlight)!;
  const value = policy.algorithm.name;
  const rule = `must not be "${value}" in a limiter that began without it: create another limiter`;
  return tierError(name, 'algorithm', { rule, value });
}

/** Adapters decide then, too, whether they read what requests bring. @throws ConfigError */
function refuseBringing(tiers: readonly TierDefinition<never>[]): void {
  for (const tier of tiers) {
    const feature = bringing(tier);
    if (feature === undefined) continue;
    const { name, insteadOfBrought: instead } = feature;
    const rule = `must not take what requests bring in a limiter that began without it: ${instead}, or create another limiter`;
    throw tierError(tier.name, name, { rule });
  }
}

function isInFlight({ policy }: TierDefinition<never>): boolean {
  return policy.algorithm.endsWithRequest;
}
