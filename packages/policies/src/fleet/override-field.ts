import { IdentityDigest } from '@sluice/core/operations';
import { ConfigError } from '@sluice/core';
import type { Override, OverrideOptions } from '@sluice/core/overrides';

/** Where Redis has an override: one for each tier and identity. The name of a tier may have any character but a brace. */
export function fieldOf({ tier, digest, partition }: Pick<Override, 'tier' | 'digest' | 'partition'>): string {
  return `${digest}${partition === undefined ? '' : `.${partition}`} ${tier}`;
}

/** The value of a field. */
export function fieldText({ limit, until, reason }: Override): string {
  return JSON.stringify({ limit, until, reason });
}

/** An override of Redis. Undefined for a field that another program has written. */
export function overrideIn(field: string, text: string): Override | undefined {
  const [, digest, partition, tier] = /^([\w-]{22})(?:\.([\w-]{22}))? (.+)$/.exec(field) ?? [];
  if (digest === undefined || tier === undefined) return undefined;
  try {
    const { limit, until, reason } = JSON.parse(text) as Override;
    return {
      tier,
      digest,
      ...(partition !== undefined && { partition }),
      limit,
      ...(until !== undefined && { until }),
      reason,
    };
  } catch {
    // Text that is not JSON is not ours.
    return undefined;
  }
}

/** The options of code that make an override again. */
export function optionsOf({ digest, partition, ...others }: Override): OverrideOptions {
  return {
    ...others,
    identity: new IdentityDigest(digest),
    ...(partition !== undefined && { partition: new IdentityDigest(partition) }),
  };
}

/** The same override. @throws ConfigError for one that has ended by the clock of this process */
export function endingLater(override: Override): Override {
  const { until = Infinity } = override;
  if (until > Date.now()) return override;
  const rule = `until must be in the future, got ${new Date(until).toISOString()}`;
  throw new ConfigError('OPTION_INVALID', 'until', until, `override: ${rule}`);
}
