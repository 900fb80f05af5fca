import { ConfigError } from '../../model/errors.js';
import { show } from '../../options/option-reader.js';
import type { Store } from '../../stores/store.js';
import type { TierDefinition } from './tier-definition.js';
import type { TierContext } from './tier-context.js';

const NAME = /^[\x20-\x7e]{1,64}$/;
/** A percent sign stands for what a name cannot have: names of routes are encoded so. */
const RESERVED = /[{}"\\]|%(?![\dA-F]{2})/;

interface NamedTier {
  readonly tier: TierDefinition<never>;
  readonly owner: TierContext<never>;
}

// By store, for that is where equal names would meet.
const namesByStore = new WeakMap<Store, Map<string, NamedTier>>();

/**
 * Keeps the names of tiers for them: within a store and prefix a name belongs to one set of numbers. Only the plans of
 * one limiter may give it other limits, as a limit that is a function does: whoever changes plans keeps what is used.
 * Keeps all or none.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export function registerTierNames(owner: TierContext<never>, tiers: readonly TierDefinition<never>[]): void {
  const { store, prefix } = owner;
  const names = namesByStore.get(store) ?? new Map<string, NamedTier>();
  // No prefix has a space in it.
  const placeOf = (name: string) => `${prefix} ${name}`;
  const taken = tiers.find((tier) => {
    const other = names.get(placeOf(tier.name));
    return other && !(other.owner === owner ? other.tier.sameState(tier) : other.tier.sameNumbers(tier));
  });
  if (taken) {
    const { name } = taken;
    throw new ConfigError(
      'TIER_NAME_TAKEN',
      'name',
      name,
      `tier "${name}": name must belong to one tier of a store, and another tier of this name has other numbers or another function for its limit: rename one, or use the same object for both, got "${name}"`,
    );
  }
  for (const tier of tiers) names.set(placeOf(tier.name), { tier, owner });
  namesByStore.set(store, names);
}

/** @throws ConfigError TIER_NAME_INVALID */
export function checkTierName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name) && !RESERVED.test(name)) return name;
  throw new ConfigError(
    'TIER_NAME_INVALID',
    'name',
    name,
    `tier: name must be 1 to 64 printable ASCII characters without { } " \\ and %, got ${show(name)}`,
  );
}
