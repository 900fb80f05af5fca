import { ConfigError } from '@sluice/core';
import { show } from '@sluice/core/adapter';

import { nameOfTier, type Level } from './level.js';

/**
 * What is left of levels without the tiers of these names, or nothing without names.
 *
 * @throws ConfigError for a name that no tier has
 */
export function withoutTiers(levels: readonly Level[], names: readonly string[]): readonly Level[] {
  if (names.length === 0) return [];
  const known = levels.flatMap(({ tiers = [] }) => tiers.map(nameOfTier));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(
      'OPTION_INVALID',
      'names',
      unknown,
      `SkipRateLimit: names must be of tiers that stand above (${known.join(', ') || 'there is none'}); plans and shared limiters can be skipped whole only; got ${show(unknown)}`,
    );
  }
  return levels.flatMap((level) => {
    const left = level.tiers?.filter((tier) => !names.includes(nameOfTier(tier)!));
    // What nothing was taken from stays the same, and shares its gate.
    if (!left || left.length === level.tiers!.length) return level;
    return left.length > 0 ? { ...level, tiers: left } : [];
  });
}
