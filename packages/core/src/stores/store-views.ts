import { type Companion, companion } from '../model/companion.js';
import type { UsageExportStatus } from '../model/usage.js';
import { keyspaceOf } from './keyspace.js';
import type { Store } from './store.js';

/** What runs in this process on a store, as metrics show it. */
export class StoreViews<View> {
  readonly #known: Companion<object, Set<() => View>>;

  /** @param name of what runs, which all copies of this package share */
  constructor(name: string) {
    this.#known = companion(name);
  }

  /** Shows something with its store. Returns what ends that. */
  add(store: Store, view: () => View): () => void {
    const keyspace = keyspaceOf(store);
    const views = this.#known.get(keyspace) ?? new Set();
    this.#known.set(keyspace, views.add(view));
    return () => void views.delete(view);
  }

  of(store: Store): readonly View[] {
    return Array.from(this.#known.get(keyspaceOf(store)) ?? [], (view) => view());
  }
}

export const usageExports = /* @__PURE__ */ new StoreViews<UsageExportStatus>('usage-export-views');
