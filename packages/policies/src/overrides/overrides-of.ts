import {
  companion,
  digestOf,
  type Limiter,
  limiterBehind,
  type LimiterView,
  type TieredLimiter,
} from '@sluice/core/internal';
import type { Overrides } from './overrides.js';
import { OverrideChange } from './override-change.js';
import { OverrideTable } from './override-table.js';

const tables = companion<object, Overrides>('overrides');

/**
 * Limits of single identities in this process, in place of the limits of their tiers: with an end and a reason. A decision tells
 * by `outcome.override` that one has decided.
 *
 * @param limiter what `createLimiter` has returned, or one of `limitersOf`
 * @returns the same for each call
 * @throws UsageError for another value
 * @example
 * overridesOf(limiter).set({
 *   tier: 'hour',
 *   identity: 'account-7',
 *   limit: 50_000,
 *   until: '2027-01-31',
 *   reason: 'ticket 4711',
 * });
 */
export function overridesOf<S>(limiter: Limiter<S> | LimiterView): Overrides {
  const found = limiterBehind('overridesOf', limiter);
  const known = tables.get(found);
  if (known !== undefined) return known;
  const table = tableOf(found);
  tables.set(found, table);
  return table;
}

function tableOf<S>(limiter: TieredLimiter<S>): OverrideTable {
  const digest = limiter.digester() ?? ((text: string) => digestOf(text));
  const { isPartitioned } = limiter.requests.claimBuilder;
  const table = new OverrideTable({
    context: () => ({
      isPartitioned,
      digestOf: digest,
      tiers: limiter.requests.book.known(),
      hasOtherTiers: limiter.requests.book.isOpen,
    }),
    onOwners: () => limiter.use(table.isEmpty ? undefined : new OverrideChange(table, isPartitioned)),
  });
  return table;
}
