import type { LimiterView } from '@sluice/core';
import { algorithms, keyShape } from '@sluice/core/operations';
// Keys of balances are keys of a limiter.
import '@sluice/core/quotas';
import type { KeyName } from './key-name.js';

/** The shapes that the tiers of a configuration have. */
export interface KnownShapes {
  has(name: KeyName): boolean;
}

/**
 * Undefined if a limiter may have tiers that are not known: then any shape may be one of its plans.
 *
 * @param keyPrefix what the client adds to every key
 */
export function knownShapes(limiters: readonly LimiterView[], keyPrefix: string): KnownShapes | undefined {
  if (limiters.length === 0 || limiters.some(({ hasOtherTiers }) => hasOtherTiers)) return undefined;
  const known = new Set(
    limiters.flatMap(({ prefix, tiers }) =>
      tiers.map(({ name, policy }) => textOf({ prefix: keyPrefix + prefix, tier: name, shape: keyShape(policy) })),
    ),
  );
  return { has: (name) => known.has(textOf(name)) };
}

/** `fixed-window` of `fwx3-`. */
export function algorithmOf(shape: string): string | undefined {
  return algorithms().find(({ code }) => code === shape.slice(0, 2))?.name;
}

/** The Redis type of a key. */
export function typeOf({ shape, isRecord }: KeyName): string {
  if (isRecord || shape.startsWith('sl')) return 'list';
  if (shape.startsWith('ba')) return 'hash';
  return shape.startsWith('cc') ? 'zset' : 'string';
}

function textOf({ prefix, tier, shape }: Pick<KeyName, 'prefix' | 'tier' | 'shape'>): string {
  return `${prefix} ${tier} ${shape}`;
}
