import {
  ConfigError,
  IdentityDigest,
  identityText,
  kindOf,
  OptionReader,
  type Override,
  type OverrideOptions,
  show,
  type TierDefinition,
} from '@sluice/core/internal';
import type { Owned } from './owned-overrides.js';
import { readMoment } from './read-moment.js';

const NAMES: readonly (keyof OverrideOptions)[] = ['tier', 'identity', 'partition', 'limit', 'until', 'reason', 'by'];
const DIGEST = /^[\w-]{22}$/;
const MAX_REASON = 200;
const MAX_BY = 100;
// oxlint-disable-next-line no-control-regex -- terminals obey control characters
const CONTROL = /[\u0000-\u001F\u007F-\u009F]/;
const IDENTITY = 'must be a non-empty text, a whole number or an identity such as byIp()({ ip })';

/** What an override is checked against. */
export interface OverrideContext {
  readonly isPartitioned: boolean;
  /** The digest of the text of an identity. */
  readonly digestOf: (text: string) => string;
  /** The tiers of the limiter that are known. */
  readonly tiers: readonly TierDefinition<never>[];
  /** A function chooses tiers that are not known yet. */
  readonly hasOtherTiers: boolean;
}

/** @throws ConfigError. It never shows an identity */
export function readOverride(given: unknown, context: OverrideContext): Override {
  if (typeof given !== 'object' || given === null) {
    const rule = 'must be an object such as { tier, identity, limit, until, reason }';
    throw new ConfigError('OPTION_INVALID', 'override', undefined, `override: ${rule}, got ${show(given)}`);
  }
  const options = new OptionReader('override', given, NAMES);
  const owned = readOwned(options, context);
  const tier = context.tiers.find(({ name }) => name === owned.tier)!;
  const limit = readLimit(options, tier);
  const until = options.has('until') ? readMoment(options, 'until') : undefined;
  const by = readBy(options);
  return {
    ...owned,
    limit,
    ...(until !== undefined && { until }),
    reason: readReason(options),
    ...(by !== undefined && { by }),
  };
}

/** @throws ConfigError */
export function readChoice(given: object, context: OverrideContext): Owned {
  return readOwned(new OptionReader('override', Object(given) as object, NAMES.slice(0, 3)), context);
}

function readOwned(options: OptionReader, context: OverrideContext): Owned {
  const { isPartitioned, digestOf } = context;
  const tier = readTier(options, context);
  const digest = digestIn(options, 'identity', digestOf);
  if (digest === undefined) throw options.missing('KEY_INVALID', 'identity', IDENTITY.slice('must be '.length));
  const partition = digestIn(options, 'partition', digestOf);
  if (isPartitioned && partition === undefined) {
    throw options.missing('KEY_INVALID', 'partition', 'the identity of the partition, because this limiter has them');
  }
  if (!isPartitioned && partition !== undefined) {
    throw options.fail('KEY_INVALID', 'partition', 'belongs to limiters with partitions: leave it out');
  }
  return { tier, digest, ...(partition !== undefined && { partition }) };
}

function readTier(options: OptionReader, { tiers, hasOtherTiers }: OverrideContext): string {
  const names = tiers.map(({ name }) => name);
  const given = options.value('tier');
  if (!hasOtherTiers || names.includes(given as string)) return options.choice('tier', names, '');
  const rule = 'must name a tier that is known: list all tiers of the function in the option plans';
  throw options.fail('OPTION_INVALID', 'tier', rule);
}

function digestIn(options: OptionReader, name: 'identity' | 'partition', digestOf: OverrideContext['digestOf']) {
  const given = options.value(name);
  if (given === undefined) return undefined;
  if (given instanceof IdentityDigest && DIGEST.test(given.digest)) return given.digest;
  const text = identityText(given);
  if (text !== undefined) return digestOf(text);
  throw new ConfigError('KEY_INVALID', name, undefined, `override: ${name} ${IDENTITY}, got ${kindOf(given)}`);
}

function readLimit(options: OptionReader, tier: TierDefinition<never>): number | null {
  const limit = options.value('limit');
  if (limit === null) return null;
  if (limit === undefined) throw options.missing('LIMIT_INVALID', 'limit', 'an integer of at least 0, or null');
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0) {
    const rule = 'must be an integer of at least 0: 0 means never, and null that the tier does not apply';
    throw options.fail('LIMIT_INVALID', 'limit', rule);
  }
  if (limit === 0 && tier.policy.covers !== undefined) {
    throw options.fail(
      'LIMIT_INVALID',
      'limit',
      `must be null here, because ${tier.owner} denies no request (balance)`,
    );
  }
  if (limit > 0 && tier.limit === undefined) {
    const rule = `must be 0 or null here, because ${tier.owner} has no single limit (${tier.policy.algorithm.name})`;
    throw options.fail('LIMIT_INVALID', 'limit', rule);
  }
  const mistake = tier.mistakeIn(limit);
  if (mistake !== undefined) throw mistake;
  return limit;
}

function readReason(options: OptionReader): string {
  const reason = options.value('reason');
  const rule = `a text of 1 to ${MAX_REASON} characters on one line, such as 'ticket 4711'`;
  if (reason === undefined) throw options.missing('OPTION_INVALID', 'reason', rule);
  if (isLine(reason, MAX_REASON)) return reason;
  throw options.fail('OPTION_INVALID', 'reason', `must be ${rule}`);
}

function readBy(options: OptionReader): string | undefined {
  const by = options.value('by');
  if (by === undefined || isLine(by, MAX_BY)) return by;
  throw options.fail('OPTION_INVALID', 'by', `must be a text of 1 to ${MAX_BY} characters on one line, such as 'ada'`);
}

function isLine(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && value.trim() !== '' && !CONTROL.test(value);
}
