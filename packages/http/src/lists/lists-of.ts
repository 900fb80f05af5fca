import { companion, keyspaceOf, type Store } from '@sluice/core/internal';

/** A list of addresses as metrics show it. */
export interface ListView {
  readonly name: string;
  /** Networks on the list in this process. */
  readonly entries: number;
  /** Milliseconds since a refresh was due that has not succeeded. 0: the list is current. */
  readonly overdue: number;
  /** Refreshes that have failed. */
  readonly failures: number;
  /** How often its store has lost changes. */
  readonly losses: number;
}

interface Viewable {
  view(): ListView;
}

const lists = companion<object, Set<Viewable>>('lists');

/** Shows a list in metrics of its store. Returns what ends that. */
export function registerList(store: Store, list: Viewable): () => void {
  const keyspace = keyspaceOf(store);
  const known = lists.get(keyspace) ?? new Set();
  lists.set(keyspace, known.add(list));
  return () => void known.delete(list);
}

/** The lists of addresses that a store has for this process. */
export function listsOf(store: Store): readonly ListView[] {
  return [...(lists.get(keyspaceOf(store)) ?? [])].map((list) => list.view());
}
