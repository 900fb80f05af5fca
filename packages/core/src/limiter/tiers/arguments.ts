import { isPromise } from '../../async/deferred.js';
import { BROUGHT, type Brought } from '../../model/appointment.js';
import { UsageError } from '../../model/errors.js';
import type { StopSignal } from '../../model/patience.js';
import { show } from '../../options/show.js';

export interface CostOptions {
  /** The units that the request takes. With 0 the state is read, and nothing is charged. @default 1 */
  cost?: number | undefined;
}

export interface ConsumeOptions extends CostOptions, Brought {
  /** An AbortSignal that ends the wait for a permit. The request is then denied: its client has left. */
  signal?: StopSignal | undefined;
}

const BROUGHT_NAMES = Object.keys(BROUGHT) as readonly (keyof Brought)[];
const NAMES: readonly string[] = ['cost', 'signal', ...BROUGHT_NAMES];
const RULE = `options must be { ${NAMES.join(', ')} }`;

/** @throws UsageError also for arguments that would have no effect: `consume(subject, 3)`, `{ costs: 3 }` */
export function costOf(options: CostOptions | undefined): number {
  if (options === undefined || options === null) return 1;
  if (typeof options !== 'object') {
    const remedy = typeof options === 'number' ? `: write { cost: ${String(options)} }` : '';
    throw invalid(`${RULE}${remedy}, got ${show(options)}`);
  }
  for (const name in options) {
    if (!NAMES.includes(name)) throw invalid(`${RULE}, got the option ${show(name)}`);
  }
  const { cost = 1 } = options;
  checkUnits('cost', cost);
  return cost;
}

/** What ends the wait of a request. @throws UsageError */
export function signalOf({ signal }: ConsumeOptions): StopSignal | undefined {
  if (signal === undefined || typeof (signal as Partial<StopSignal> | null)?.addEventListener === 'function')
    return signal;
  throw invalid(`signal must be an AbortSignal, got ${show(signal)}`);
}

/** True for a request that says more than its cost. */
export function isSpecial(options: ConsumeOptions | null): boolean {
  if (options === null) return false;
  for (const name of BROUGHT_NAMES) if (options[name] !== undefined) return true;
  return options.signal !== undefined;
}

/** What a request brings of the denial before it. @throws UsageError */
export function broughtBy(options: ConsumeOptions): Brought {
  for (const name of BROUGHT_NAMES) {
    const value = options[name];
    if (value === undefined || value === true || typeof value === 'string') continue;
    throw invalid(`${name} ${BROUGHT[name]}, got ${show(value)}`);
  }
  return options;
}

/** @throws UsageError */
export function checkUnits(owner: string, units: unknown): void {
  if (typeof units === 'number' && Number.isSafeInteger(units) && units >= 0) return;
  throw new UsageError('COST_INVALID', `${owner} must be an integer of at least 0, got ${show(units)}`);
}

/** @throws UsageError for a cost that is neither an integer nor integers by names, such as a promise of one */
export function checkCosts(owner: string, costs: unknown): void {
  if (typeof costs !== 'object' || costs === null) return checkUnits(owner, costs);
  if (isPromise(costs)) throw new UsageError('COST_INVALID', `${owner} must be units, got a promise: await it`);
  // Its entries are no properties, so it would name no tier.
  if (Symbol.iterator in costs) {
    throw new UsageError('COST_INVALID', `${owner} must be an integer or { tier: units }, got ${show(costs)}`);
  }
  for (const units of Object.values(costs)) checkUnits(owner, units);
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
