import type { Policy } from '../model/policy.js';
import { shared } from '../model/shared.js';
import { budgetsOf } from './budgets.js';
import type { Store } from './store.js';

/** A limiter as operators see it. */
export interface LimiterView {
  /** The beginning of its keys. */
  readonly prefix: string;
  /** Largest first. Of plans those that have decided a request, each name once. */
  readonly tiers: readonly TierView[];
}

export interface TierView {
  readonly name: string;
  /** Decides and never denies. */
  readonly shadow: boolean;
  /** Of a limit function: all its numbers but the limit are those of every request. */
  readonly policy: Policy;
  /** `by-request`: a function returns it. */
  readonly limit: number | 'by-request';
}

interface Viewable {
  view(): LimiterView;
}

const limiters = shared('limiters', () => new WeakMap<object, Set<WeakRef<Viewable>>>());
const collected = new FinalizationRegistry<() => void>((forget) => forget());

/** Lists a limiter as long as the application uses it. */
export function registerLimiter(store: Store, limiter: Viewable): void {
  const budgets = budgetsOf(store);
  const known = limiters.get(budgets) ?? new Set();
  const reference = new WeakRef(limiter);
  limiters.set(budgets, known.add(reference));
  collected.register(limiter, () => void known.delete(reference));
}

/**
 * The limiters of a store and their tiers: for dashboards and for metrics of limits.
 *
 * @param store the one that was passed to the limiters
 * @example
 * const tiers = limitersOf(store).flatMap((limiter) => limiter.tiers.map(({ name, limit }) => `${name}: ${limit}`));
 */
export function limitersOf(store: Store): readonly LimiterView[] {
  return [...(limiters.get(budgetsOf(store)) ?? [])].flatMap((reference) => reference.deref()?.view() ?? []);
}
