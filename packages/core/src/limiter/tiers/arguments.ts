import { isPromise } from '../../async/deferred.js';
import { UsageError } from '../../model/errors.js';
import type { StopSignal } from '../../model/stop-signal.js';
import { show } from '../../options/show.js';

export interface CostOptions {
  /** The units that the request takes. With 0 the state is read, and nothing is charged. @default 1 */
  cost?: number | undefined;
}

export interface ConsumeOptions extends CostOptions {
  /** An AbortSignal that ends the wait for a permit. The request is then denied: its client has left. */
  signal?: StopSignal | undefined;
  /**
   * The `place` of the denial before, for a tier whose line keeps places: the request is let in at its moment. `true` asks for a
   * place. It has no effect for other tiers.
   *
   * @default no place is asked for
   */
  place?: string | true | undefined;
}

const NAMES: ReadonlySet<string> = new Set(['cost', 'signal', 'place']);

/** @throws UsageError also for arguments that would have no effect: `consume(subject, 3)`, `{ costs: 3 }` */
export function costOf(options: CostOptions | undefined): number {
  if (options === undefined || options === null) return 1;
  if (typeof options !== 'object') {
    const remedy = typeof options === 'number' ? `: write { cost: ${String(options)} }` : '';
    throw invalid(`options must be { cost, signal, place }${remedy}, got ${show(options)}`);
  }
  for (const name in options) {
    if (!NAMES.has(name)) throw invalid(`options must be { cost, signal, place }, got the option ${show(name)}`);
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

/** The place in line that a request brings. @throws UsageError */
export function placeOf({ place }: ConsumeOptions): string | true | undefined {
  if (place === undefined || place === true || typeof place === 'string') return place;
  throw invalid(`place must be the place of a decision, or true to ask for one, got ${show(place)}`);
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
