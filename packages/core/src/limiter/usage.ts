import { chain } from '../async/deferred.js';
import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import { ConfigError, UsageError } from '../model/errors.js';
import { HOUR_MS, type TierUsage, type UsageOptions } from '../model/usage.js';
import { checkCallOptions } from '../options/call-options.js';
import { show } from '../options/option-reader.js';
import { countsUsage, type Answer, type Store } from '../stores/store.js';
import type { TierDefinition } from './tiers/tier-definition.js';

/** The names of options. */
export const USAGE: readonly (keyof UsageOptions)[] = ['tiers', 'from', 'to'];

type Charge = (claims: readonly Claim[], labels?: ReadonlyMap<string, string>) => MaybePromise<Answer>;

/** The same charge, in a store that counts usage beside its charges. */
export function countedIn(store: Store, charge: Charge): Charge {
  if (!countsUsage(store) || store.countUsage === undefined) return charge;
  return (claims, labels) =>
    chain(charge(claims, labels), (answer) => {
      store.countUsage!(answer.receipts);
      return answer;
    });
}

/** @throws ConfigError for tiers with usage on a store that counts none */
export function checkCounts(tiers: readonly TierDefinition<never>[], store: Store): void {
  const tier = tiers.find(({ policy }) => policy.usage);
  if (tier === undefined || countsUsage(store)) return;
  const rule = 'needs memoryStore() or redisStore(…), because another store counts no usage: leave it out';
  throw new ConfigError('OPTION_INVALID', 'usage', true, `${tier.owner}: usage ${rule}, got true`);
}

/** What keys of tiers have used. @throws UsageError for a wrong option */
export async function usageOf(
  store: Store,
  tiers: readonly Pick<TierDefinition<never>, 'name'>[],
  keys: readonly string[],
  options: UsageOptions,
): Promise<readonly TierUsage[]> {
  const from = momentOf(options, 'from') ?? 0;
  const to = momentOf(options, 'to') ?? Infinity;
  if (keys.length === 0 || !countsUsage(store)) return [];
  const { hours } = await store.readUsage(keys);
  return tiers.map(({ name }, index) => {
    const own = [...hours[index]!]
      .map(([hour, { open, exported }]) => ({ from: hour * HOUR_MS, units: open + exported }))
      .filter((hour) => hour.units !== 0 && hour.from + HOUR_MS > from && hour.from < to)
      .toSorted((one, other) => one.from - other.from);
    return { tier: name, units: own.reduce((sum, { units }) => sum + units, 0), hours: own };
  });
}

/** The tiers that count usage. @throws UsageError where none of them does */
export function withUsage<S>(tiers: readonly TierDefinition<S>[]): readonly TierDefinition<S>[] {
  const counted = tiers.filter(({ policy }) => policy.usage);
  if (counted.length > 0) return counted;
  throw new UsageError('USAGE_INVALID', 'usage: no tier counts it: write usage: true on a tier');
}

export function checkUsageOptions(options: unknown): void {
  checkCallOptions('usage', options, USAGE);
}

function momentOf(options: UsageOptions, name: 'from' | 'to'): number | undefined {
  const { [name]: given } = options;
  if (given === undefined) return undefined;
  const moment = given instanceof Date ? given.getTime() : given;
  if (typeof moment === 'number' && Number.isFinite(moment)) return moment;
  throw new UsageError('USAGE_INVALID', `usage: ${name} must be a Date or milliseconds since 1970, got ${show(given)}`);
}
