import { IdentityDigest } from '@sluice/metrics/operations';
import { ConfigError } from '@sluice/core';
import type { Override, OverrideOptions } from '../overrides/index.js';
import type { FleetOverride } from './fleet-state.js';

/** What was said last of the override of one tier and identity. */
export interface Entry {
  /** Its name in Redis. */
  readonly field: string;
  /** When it was said: the clock of Redis, in milliseconds since 1970. 0: an earlier version has written it. */
  readonly at: number;
  /** Its text in Redis. '': it was removed. */
  readonly value: string;
  /** Undefined: it was removed. */
  readonly override: FleetOverride | undefined;
}

/** Whether one of two entries of a field was said later. */
export function isLater(one: Entry, other: Entry): boolean {
  return one.at > other.at || (one.at === other.at && one.value > other.value);
}

/** Where Redis has an override: one for each tier and identity. The name of a tier may have any character but a brace. */
export function fieldOf({ tier, digest, partition }: Pick<Override, 'tier' | 'digest' | 'partition'>): string {
  return `${digest}${partition === undefined ? '' : `.${partition}`} ${tier}`;
}

/** The value of a field, to which the script adds the time. */
export function openText({ limit, until, reason, by, fingerprint }: FleetOverride): string {
  return `${JSON.stringify({ limit, until, reason, by, fingerprint }).slice(0, -1)},"at":`;
}

/** An override of Redis. Undefined for a field that another program has written. */
export function entryIn(field: string, value: string): Entry | undefined {
  const [, digest, partition, tier] = /^([\w-]{22})(?:\.([\w-]{22}))? (.+)$/.exec(field) ?? [];
  if (digest === undefined || tier === undefined) return undefined;
  try {
    const { limit, until, reason, by, fingerprint, at = 0 } = JSON.parse(value) as FleetOverride;
    const override: FleetOverride = {
      tier,
      digest,
      ...(partition !== undefined && { partition }),
      limit,
      ...(until !== undefined && { until }),
      reason,
      ...(by !== undefined && { by }),
      ...(at > 0 && { at }),
      ...(fingerprint !== undefined && { fingerprint }),
    };
    return { field, at: Number.isSafeInteger(at) ? at : 0, value, override };
  } catch {
    // Text that is not JSON is not ours.
    return undefined;
  }
}

/** The options of code that make an override again. */
export function optionsOf({ tier, digest, partition, limit, until, reason, by }: FleetOverride): OverrideOptions {
  return {
    tier,
    limit,
    until,
    reason,
    by,
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
