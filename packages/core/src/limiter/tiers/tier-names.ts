import { ConfigError } from '../../model/errors.js';
import { shared } from '../../model/shared.js';
import { show } from '../../options/option-reader.js';
import { budgetsOf } from '../../stores/budgets.js';
import type { TierContext } from './tier-context.js';
import type { TierDefinition } from './tier-definition.js';

const NAME = /^[\x20-\x7e]{1,64}$/;
/** A percent sign is allowed only in the code of a character that names cannot have: names of routes are encoded so. */
const RESERVED = /[{}"\\]|%(?!22|25|5C|7[BDF]|[0189A-F][\dA-F])/;

interface NamedTier {
  readonly tier: TierDefinition<never>;
  readonly context: TierContext<never>;
}

const namesByBudgets = shared('tier-names', () => new WeakMap<object, Map<string, readonly NamedTier[]>>());

/**
 * Reserves the names of tiers, all or none: in a store and prefix a name belongs to one set of numbers. Only the plans
 * of one limiter may give a name several limits, so that a client that changes its plan keeps its usage.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export function registerTierNames(context: TierContext<never>, tiers: readonly TierDefinition<never>[]): void {
  const { prefix } = context;
  const budgets = budgetsOf(context.store);
  const names = namesByBudgets.get(budgets) ?? new Map<string, readonly NamedTier[]>();
  // A prefix has no space, so that the two cannot be confused.
  const entryOf = (name: string) => `${prefix} ${name}`;
  const agrees = (tier: TierDefinition<never>, other: NamedTier) =>
    other.context === context ? other.tier.hasStateOf(tier) : other.tier.hasNumbersOf(tier);
  const taken = tiers.find((tier) => names.get(entryOf(tier.name))?.some((other) => !agrees(tier, other)));
  if (taken) {
    const { name } = taken;
    throw new ConfigError(
      'TIER_NAME_TAKEN',
      'name',
      name,
      `tier "${name}": name must belong to one tier of a store, and another tier of this name has other numbers or another limit function: rename one, or use the same object for both, got "${name}"`,
    );
  }
  for (const tier of tiers) {
    const others = names.get(entryOf(tier.name))?.filter((named) => named.context !== context) ?? [];
    names.set(entryOf(tier.name), [...others, { tier, context }]);
  }
  namesByBudgets.set(budgets, names);
}

/** Frees the names of a limiter that was closed. A name stays reserved while another limiter has it. */
export function releaseTierNames(context: TierContext<never>): void {
  const names = namesByBudgets.get(budgetsOf(context.store));
  for (const [entry, users] of names ?? []) {
    const others = users.filter((named) => named.context !== context);
    if (others.length > 0) names!.set(entry, others);
    else names!.delete(entry);
  }
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
