import { companion } from '../model/companion.js';
import type { Store } from './store.js';

const keyspaces = companion<Store, object>('keyspaces');

/** Says which keyspace a store reads. Stores of one keyspace share keys, names of tiers and denials. */
export function setKeyspace(store: Store, keyspace: object): void {
  keyspaces.set(store, keyspace);
}

/** The prefix of a limiter that was given none. */
export const DEFAULT_PREFIX = 'rl';

/** The keyspace of a store: the store itself, unless it has said otherwise. */
export function keyspaceOf(store: Store): object {
  return keyspaces.get(store) ?? store;
}
