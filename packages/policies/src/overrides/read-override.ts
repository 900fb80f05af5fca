import {
  ConfigError,
  coveredBy,
  IdentityDigest,
  identityText,
  isLine,
  OptionReader,
  type OptionRow,
  type OptionRows,
  type Override,
  show,
  type TierDefinition,
} from '@sluice/core/internal';
import type { OverrideOptions } from './overrides.js';
import type { Owned } from './owned-overrides.js';
import { MOMENT_ROW, momentOf } from './read-moment.js';

const MAX_REASON = 200;
const MAX_BY = 100;
const IDENTITY = {
  code: 'KEY_INVALID',
  is: (given) => given instanceof IdentityDigest || identityText(given) !== undefined,
  words: 'a non-empty text, a whole number or an identity such as byIp()({ ip })',
} as const satisfies OptionRow;

/** Whose limit changes. */
const REQUIRED = { required: true } as const;
const OWNER = { tier: REQUIRED, identity: { ...IDENTITY, ...REQUIRED }, partition: IDENTITY } as const;

const CHANGES = {
  limit: {
    code: 'LIMIT_INVALID',
    is: (limit) => limit === null || (Number.isSafeInteger(limit) && (limit as number) >= 0),
    words: 'an integer of at least 0: 0 means never, and null that the tier does not apply',
    required: true,
  },
  until: MOMENT_ROW,
  reason: {
    is: (reason) => isLine(reason, MAX_REASON),
    words: `a text of 1 to ${MAX_REASON} characters on one line, such as 'ticket 4711'`,
    required: true,
  },
  by: { is: (by) => isLine(by, MAX_BY), words: `a text of 1 to ${MAX_BY} characters on one line, such as 'ada'` },
} as const satisfies OptionRows;

export const OVERRIDE_ROWS = { ...OWNER, ...CHANGES } as const satisfies Record<keyof OverrideOptions, OptionRow>;

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
  const options = new OptionReader('override', given, OVERRIDE_ROWS);
  const owned = readOwned(options, context);
  const tier = context.tiers.find(({ name }) => name === owned.tier)!;
  const { limit, until, reason, by } = options.read(CHANGES) as Readonly<Record<string, unknown>>;
  checkLimit(options, limit as number | null, tier);
  return {
    ...owned,
    limit: limit as number | null,
    ...(until !== undefined && { until: momentOf(until)! }),
    reason: reason as string,
    ...(by !== undefined && { by: by as string }),
  };
}

/** @throws ConfigError */
export function readChoice(given: object, context: OverrideContext): Owned {
  return readOwned(new OptionReader('override', Object(given) as object, OWNER), context);
}

function readOwned(options: OptionReader, context: OverrideContext): Owned {
  const { isPartitioned, digestOf } = context;
  const tier = readTier(options, context);
  const given = options.read(OWNER);
  const digest = digestIn(given.identity, digestOf);
  const partition = given.partition === undefined ? undefined : digestIn(given.partition, digestOf);
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
  if (!hasOtherTiers || names.includes(given as string)) return options.one('tier', { oneOf: names, required: true });
  const rule = 'must name a tier that is known: list all tiers of the function in the option plans';
  throw options.fail('OPTION_INVALID', 'tier', rule);
}

function digestIn(given: unknown, digestOf: OverrideContext['digestOf']): string {
  return given instanceof IdentityDigest ? given.digest : digestOf(identityText(given)!);
}

/** @throws ConfigError LIMIT_INVALID for a limit that the tier cannot have */
function checkLimit(options: OptionReader, limit: number | null, tier: TierDefinition<never>): void {
  if (limit === null) return;
  const { algorithm } = tier.policy;
  if (limit === 0 && coveredBy(tier.policy) !== undefined) {
    const rule = `must be null here, because ${tier.owner} denies no request (balance)`;
    throw options.fail('LIMIT_INVALID', 'limit', rule);
  }
  if (limit > 0 && tier.limit === undefined) {
    const rule = `must be 0 or null here, because ${tier.owner} has no single limit (${algorithm.name})`;
    throw options.fail('LIMIT_INVALID', 'limit', rule);
  }
  const mistake = tier.mistakeIn(limit);
  if (mistake !== undefined) throw mistake;
}
