import type { UsageExportStatus } from '../model/usage.js';
import { companion } from '../model/companion.js';
import { keyspaceOf } from './keyspace.js';
import type { Store } from './store.js';

interface Viewable {
  status(): UsageExportStatus;
}

const exports = companion<object, Set<Viewable>>('usage-exports');

/** Shows an export of usage in metrics of its store. Returns what ends that. */
export function registerExport(store: Store, usageExport: Viewable): () => void {
  const keyspace = keyspaceOf(store);
  const known = exports.get(keyspace) ?? new Set();
  exports.set(keyspace, known.add(usageExport));
  return () => void known.delete(usageExport);
}

/** The exports of usage that run in this process. */
export function exportsOf(store: Store): readonly UsageExportStatus[] {
  return [...(exports.get(keyspaceOf(store)) ?? [])].map((each) => each.status());
}
