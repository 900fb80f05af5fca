import { exportsOf } from '../stores/exports-of.js';
import type { Store } from '../stores/store.js';
import type { NumberPoint } from './point.js';

/** Seconds since the exports of usage of each store were last complete: of the one that is furthest behind. */
export function exportAges(stores: readonly (readonly [name: string, store: Store])[]): readonly NumberPoint[] {
  return stores.flatMap(([name, store]) => {
    const ages = exportsOf(store).map(({ completedAt }) => Date.now() - completedAt);
    return ages.length === 0 ? [] : [{ attributes: { 'sluice.store': name }, value: Math.max(0, ...ages) / 1e3 }];
  });
}
