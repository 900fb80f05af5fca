import { type Store, usageExports } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

/** Seconds that usage of each store waits to be exported. No point before the first run of an export. */
export function exportAges(stores: readonly (readonly [name: string, store: Store])[]): readonly NumberPoint[] {
  return stores.flatMap(([name, store]) => {
    const ages = usageExports.of(store).flatMap(({ age }) => age ?? []);
    return ages.length === 0 ? [] : [{ attributes: { 'sluice.store': name }, value: Math.max(0, ...ages) / 1e3 }];
  });
}
