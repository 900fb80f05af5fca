import type { ConfigError } from '../../model/errors.js';
import { sameRule } from '../../model/policy.js';
import { livingLimiters, type NamedTier } from '../../stores/limiters-of.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';
import { tierError } from './tier-error.js';

/**
 * In a store and prefix two tiers of one name share their budgets, so that their numbers must be the same, as long as the limiters
 * of both live.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export function checkTierNames(
  tiers: readonly TierDefinition<never>[],
  { store, prefix, limiter }: Pick<TierContext<never>, 'store' | 'prefix' | 'limiter'>,
): void {
  for (const other of livingLimiters(store)) {
    if (other === limiter) continue;
    const known = other.tiersIn(prefix);
    for (const tier of tiers) {
      const named = known.filter(({ name }) => name === tier.name);
      // Plans give a name several limits.
      if (named.length > 0 && !named.some((each) => hasNumbers(each, tier))) throw nameTaken(tier);
    }
  }
}

export function nameTaken({ name }: NamedTier): ConfigError {
  const rule = `must belong to one tier of a store, and another tier of this name has other numbers or another limit function: rename one, or use the same object for both, got "${name}"`;
  return tierError(name, 'name', { rule, value: name, code: 'TIER_NAME_TAKEN' });
}

function hasNumbers({ policy, limit }: NamedTier, tier: NamedTier): boolean {
  const isFunction = typeof tier.limit === 'function' || typeof limit === 'function';
  return (!isFunction || limit === tier.limit) && sameRule(policy, tier.policy);
}
