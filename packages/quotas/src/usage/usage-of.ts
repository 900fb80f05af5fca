import {
  checkCallOptions,
  HOUR_MS,
  type IdentityDigest,
  isCounted,
  type Key,
  type Limiter,
  limiterBehind,
  type LimiterView,
  show,
  type TierChoice,
  type TierDefinition,
  tiersByName,
  UsageError,
  type UsageLedger,
} from '@sluice/core/internal';
import { usageLedgerOf } from './usage-ledgers.js';

/** Units of one hour. */
export interface HourOfUsage {
  /** When the hour begins, in milliseconds since 1970. */
  readonly from: number;
  readonly units: number;
}

/** What a client has used of a tier with `usage`. */
export interface TierUsage {
  /** The name of the tier. */
  readonly tier: string;
  /** The sum of the hours. */
  readonly units: number;
  /** Those with units, in their order. */
  readonly hours: readonly HourOfUsage[];
}

/** Which usage to read. */
export interface UsageOptions extends TierChoice {
  /** Hours that end after it: a Date, or milliseconds since 1970. @default all that the store keeps */
  from?: Date | number | undefined;
  /** Hours that begin before it: a Date, or milliseconds since 1970. @default now */
  to?: Date | number | undefined;
}

/** Which usage to read of an identity. */
export interface IdentityUsageOptions extends UsageOptions {
  /** The identity of its partition, for a limiter with `partition`. */
  partition?: Key | undefined;
}

/** The usage of the tiers of a limiter with `usage`, by hours since 1970: of the last 62 days, as the store has counted it. */
export interface Usage<S> {
  /**
   * What a subject has used. The subject needs only the fields that its keys are made of. No tier of its plan needs to count
   * usage: then the answer is `[]`.
   *
   * @example const [{ units }] = await usageOf(limiter).read({ customer }, { from: Date.UTC(2027, 0, 1) });
   */
  read(subject: Partial<S>, options?: UsageOptions): Promise<readonly TierUsage[]>;
  /**
   * The same of an identity, without a subject: for support desks.
   *
   * @param identity what the key functions of the tiers return for it
   * @example const [{ units }] = await usageOf(limiter).readFor('account-7', { tiers: ['month'] });
   */
  readFor(identity: Key | IdentityDigest, options?: IdentityUsageOptions): Promise<readonly TierUsage[]>;
}

const OPTIONS: readonly (keyof UsageOptions)[] = ['tiers', 'from', 'to'];

/**
 * What clients have used of the tiers with `usage`.
 *
 * @param limiter what `createLimiter` has returned, or one of `limitersOf`
 * @throws UsageError for another value
 * @example
 * const [{ units }] = await usageOf(limiter).read({ customer }, { from: Date.UTC(2027, 0, 1) });
 */
export function usageOf<S>(limiter: Limiter<S> | LimiterView): Usage<S> {
  const { book, claimBuilder, store } = limiterBehind('usageOf', limiter).requests;
  const ledger = usageLedgerOf(store);
  return {
    async read(subject, options = {}) {
      checkCallOptions('usage', options, OPTIONS);
      const tiers = countedTiers(await book.tiersFor(subject as S), book.known(), options.tiers);
      return readKeys(ledger, tiers, await claimBuilder.storeKeys(tiers, subject as S), options);
    },
    async readFor(identity, options = {}) {
      checkCallOptions('usage', options, [...OPTIONS, 'partition']);
      const known = book.known();
      const tiers = countedTiers(known, known, options.tiers);
      return readKeys(ledger, tiers, claimBuilder.storeKeysFor(tiers, identity, options), options);
    },
  };
}

async function readKeys(
  ledger: UsageLedger | undefined,
  tiers: readonly Pick<TierDefinition<never>, 'name'>[],
  keys: readonly string[],
  options: UsageOptions,
): Promise<readonly TierUsage[]> {
  const from = momentOf(options, 'from') ?? 0;
  const to = momentOf(options, 'to') ?? Infinity;
  if (keys.length === 0 || ledger === undefined) return [];
  const units = await ledger.read(keys);
  return tiers.map(({ name }, index) => {
    const own = [...units[index]!]
      .map(([hour, used]) => ({ from: hour * HOUR_MS, units: used }))
      .filter((hour) => hour.units !== 0 && hour.from + HOUR_MS > from && hour.from < to)
      .toSorted((one, other) => one.from - other.from);
    return { tier: name, units: own.reduce((sum, hour) => sum + hour.units, 0), hours: own };
  });
}

/**
 * The tiers that count usage, perhaps none: not every plan does.
 *
 * @param known tiers of all plans, whose names are no mistakes
 */
function countedTiers<S>(
  tiers: readonly TierDefinition<S>[],
  known: readonly TierDefinition<S>[],
  names: TierChoice['tiers'],
): readonly TierDefinition<S>[] {
  tiersByName('usage', [...known, ...tiers], names);
  return tiers.filter(({ name, policy }) => isCounted(policy) && (names?.includes(name) ?? true));
}

function momentOf(options: UsageOptions, name: 'from' | 'to'): number | undefined {
  const { [name]: given } = options;
  if (given === undefined) return undefined;
  const moment = given instanceof Date ? given.getTime() : given;
  if (typeof moment === 'number' && Number.isFinite(moment)) return moment;
  throw new UsageError('USAGE_INVALID', `usage: ${name} must be a Date or milliseconds since 1970, got ${show(given)}`);
}
