import { ConfigError } from '../../model/errors.js';
import { show } from '../../options/option-reader.js';
import { TierDefinition } from './tier-definition.js';
import { checkTierName, registerTierNames } from './tier-names.js';
import type { TierContext } from './tier-context.js';
import type { Tier } from './tier.js';

/** More tiers than that on one request would not fit one call. */
const MAX_TIERS = 32;

/**
 * Checks the tiers of a limiter and puts them largest first: by window, then by limit, then as they were declared. A
 * limit that is a function counts as the largest.
 *
 * @throws ConfigError
 */
export function defineTiers<S>(tiers: readonly Tier<S>[], owner: TierContext<S>): readonly TierDefinition<S>[] {
  if (!Array.isArray(tiers) || tiers.length === 0 || tiers.length > MAX_TIERS) {
    throw new ConfigError(
      'TIERS_INVALID',
      'tiers',
      tiers,
      `limiter: tiers must be an array of 1 to ${MAX_TIERS} tiers, got ${show(tiers)}`,
    );
  }
  const definitions = tiers.map(
    (tier: Tier<S>) => new TierDefinition(tier, nameOf(tier, tiers.length, owner), owner.defaults),
  );
  const names = new Set(definitions.map((tier) => tier.name));
  if (names.size < definitions.length) {
    const twice = definitions.find(
      (tier, index) => definitions.findIndex(({ name }) => name === tier.name) !== index,
    )!.name;
    throw new ConfigError(
      'TIER_NAME_TAKEN',
      'name',
      twice,
      `tier "${twice}": name must stand once in a limiter, got "${twice}" twice`,
    );
  }
  if (definitions.filter(isQueue).length > 1) {
    throw new ConfigError(
      'QUEUE_INVALID',
      'queue',
      definitions.filter(isQueue).length,
      `limiter: queue must stand in one tier at most, for a request can wait in one place only, got ${definitions.filter(isQueue).length}`,
    );
  }
  registerTierNames(owner, definitions);
  return definitions.toSorted((one, other) => other.policy.window - one.policy.window || limitOf(other) - limitOf(one));
}

function nameOf(tier: { name?: string } | null, count: number, { ownStore }: { ownStore: boolean }): string {
  if (typeof tier !== 'object' || tier === null) {
    throw new ConfigError('TIERS_INVALID', 'tiers', tier, `limiter: tiers must hold objects, got ${show(tier)}`);
  }
  if (tier.name !== undefined) return checkTierName(tier.name);
  if (count === 1 && ownStore) return 'default';
  const reason = ownStore
    ? 'where a limiter has several tiers'
    : 'where tiers of other limiters can be in the same store';
  throw new ConfigError('TIER_NAME_REQUIRED', 'name', undefined, `tier: name must be given ${reason}, got undefined`);
}

function limitOf({ limit, policy }: TierDefinition<never>): number {
  return typeof limit === 'function' ? Number.MAX_SAFE_INTEGER : policy.limit;
}

function isQueue({ policy }: TierDefinition<never>): boolean {
  return 'queued' in policy && policy.queued === true;
}
