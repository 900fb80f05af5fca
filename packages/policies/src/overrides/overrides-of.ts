import {
  companion,
  type Limiter,
  limiterOf,
  type LimiterView,
  type Overrides,
  type Piped,
  PIPED,
  show,
  UsageError,
} from '@sluice/core/internal';
import { OverriddenPipeline } from './overridden-pipeline.js';
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
  const found = limiterOf(limiter);
  const piped = (Object(found) as { [PIPED]?: Piped<never> })[PIPED];
  if (found === undefined || piped === undefined) {
    const rule = 'limiter must be what createLimiter or limitersOf has returned';
    throw new UsageError('USAGE_INVALID', `overridesOf: ${rule}, got ${show(limiter)}`);
  }
  const known = tables.get(found);
  if (known !== undefined) return known;
  const table = tableOf(piped);
  tables.set(found, table);
  return table;
}

function tableOf<S>(piped: Piped<S>): OverrideTable {
  const table = new OverrideTable({
    context: () => ({
      isPartitioned: piped.claimBuilder.isPartitioned,
      digestOf: (text) => piped.digestOf(text),
      tiers: piped.book.known(),
      hasOtherTiers: piped.book.isOpen,
    }),
    onOwners() {
      piped.use(table.isEmpty ? piped.direct : new OverriddenPipeline(piped, table));
    },
  });
  return table;
}
