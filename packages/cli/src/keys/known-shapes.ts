import type { LimiterView } from '@sluice/core';
import { keyShape, type KeyName } from '@sluice/metrics/operations';

/** The shapes that the tiers of a configuration have. */
export interface KnownShapes {
  /** True for a key without a shape, too. */
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
  return { has: (name) => name.shape === undefined || known.has(textOf(name)) };
}

function textOf({ prefix, tier, shape }: Pick<KeyName, 'prefix' | 'tier' | 'shape'>): string {
  return `${prefix} ${tier} ${shape}`;
}
