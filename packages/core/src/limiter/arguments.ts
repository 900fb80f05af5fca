import { UsageError } from '../model/errors.js';
import { show } from '../options/option-reader.js';

export interface CostOptions {
  /** Units that the request takes; 0 reads without charging. @default 1 */
  cost?: number | undefined;
}

/** @throws UsageError also for arguments that would have no effect: `consume(subject, 3)`, `{ costs: 3 }` */
export function costOf(options: CostOptions | undefined): number {
  if (options === undefined || options === null) return 1;
  if (typeof options !== 'object') throw invalid(`options must be { cost }, got ${show(options)}`);
  for (const name in options) {
    if (name !== 'cost') throw invalid(`options must be { cost }, got the option ${show(name)}`);
  }
  const { cost = 1 } = options;
  checkUnits('cost', cost);
  return cost;
}

/** @throws UsageError */
export function checkUnits(owner: string, units: unknown): void {
  if (typeof units === 'number' && Number.isSafeInteger(units) && units >= 0) return;
  throw new UsageError('COST_INVALID', `${owner} must be an integer of at least 0, got ${show(units)}`);
}

/** @throws UsageError for a name that is not one of `known` */
export function checkNames(owner: string, names: unknown, known: readonly string[]): void {
  if (!Array.isArray(names)) throw invalid(`${owner}: tiers must be an array, got ${show(names)}`);
  const unknown = (names as readonly string[]).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(`${owner}: tiers must name tiers of this limiter (${known.join(', ')}), got ${show(unknown)}`);
}

function invalid(message: string): UsageError {
  return new UsageError('USAGE_INVALID', message);
}
