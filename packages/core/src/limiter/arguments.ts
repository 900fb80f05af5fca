import { UsageError } from '../model/errors.js';
import { show } from '../options/option-reader.js';

export interface CostOptions {
  /** Units that the request takes; 0 reads without charging. @default 1 */
  cost?: number | undefined;
}

export interface TierChoice {
  /** Names of tiers. @default all */
  tiers?: readonly string[] | undefined;
}

/** @throws UsageError also for what would be overlooked: `consume(subject, 3)`, `{ costs: 3 }` */
export function costOf(options: CostOptions | undefined): number {
  if (options === undefined || options === null) return 1;
  if (typeof options !== 'object')
    throw new UsageError('USAGE_INVALID', `options must be { cost }, got ${show(options)}`);
  for (const name in options) {
    if (name !== 'cost')
      throw new UsageError('USAGE_INVALID', `options must be { cost }, got the option ${show(name)}`);
  }
  const { cost = 1 } = options;
  checkUnits('cost', cost);
  return cost;
}

export function checkNames(owner: string, names: readonly string[], known: readonly string[] = names): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    'USAGE_INVALID',
    `${owner}: tiers must name tiers of this limiter (${known.join(', ')}), got ${show(unknown)}`,
  );
}

export function checkUnits(owner: string, units: unknown): void {
  if (typeof units === 'number' && Number.isSafeInteger(units) && units >= 0) return;
  throw new UsageError('COST_INVALID', `${owner} must be an integer of at least 0, got ${show(units)}`);
}
