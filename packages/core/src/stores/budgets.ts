import { shared } from '../model/shared.js';
import type { Store } from './store.js';

const holders = shared('budgets', () => new WeakMap<Store, object>());

/** Says where a store holds its budgets. Stores with the same object share keys, names of tiers and denials. */
export function placeBudgets(store: Store, holder: object): void {
  holders.set(store, holder);
}

/** The prefix of a limiter that was given none. */
export const DEFAULT_PREFIX = 'rl';

/** What identifies the budgets of a store: the store itself, unless it has said otherwise. */
export function budgetsOf(store: Store): object {
  return holders.get(store) ?? store;
}
