import { shared } from '../model/shared.js';
import type { Store } from './store.js';

const holders = shared('budgets', () => new WeakMap<Store, object>());

/** Says where a store holds its budgets. Stores with the same object share keys, names of tiers and denials. */
export function placeBudgets(store: Store, holder: object): void {
  holders.set(store, holder);
}

/** The prefix of a limiter that was given none. */
export const DEFAULT_PREFIX = 'rl';

const prefixes = shared('prefixes', () => new WeakMap<object, Set<string>>());

/** Says that a limiter has keys with this prefix in a store. */
export function notePrefix(store: Store, prefix: string): void {
  const budgets = budgetsOf(store);
  const known = prefixes.get(budgets) ?? new Set<string>();
  prefixes.set(budgets, known.add(prefix));
}

/** The prefixes of the limiters of a store: the default one if it has none yet. */
export function prefixesOf(store: Store): readonly string[] {
  return [...(prefixes.get(budgetsOf(store)) ?? [DEFAULT_PREFIX])];
}

/** What identifies the budgets of a store: the store itself, unless it has said otherwise. */
export function budgetsOf(store: Store): object {
  return holders.get(store) ?? store;
}
