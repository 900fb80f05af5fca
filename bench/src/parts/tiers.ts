import { contestants, REFERENCE } from '../contestants/index.js';
import { KEYS } from '../mode.js';
import type { Bench, PartResult, Table } from './bench.js';
import { race } from './race.js';

/** Three tiers of one request, each with a key of its own. */
export async function tiersPart(bench: Bench): Promise<PartResult> {
  const names = contestants.filter(({ discipline }) => discipline === 'three-tiers').map(({ name }) => name);
  const tables: Table[] = [];
  for (const inFlight of bench.mode.tiers) {
    const title = `Three tiers: 10 000 requesters, uniform, ${inFlight} in flight`;
    const rows = await race(bench, {
      title,
      contestants: names,
      workload: { kind: 'uniform', keys: KEYS },
      inFlight,
    });
    tables.push({ part: 'tiers', title, workload: 'uniform', inFlight, reference: REFERENCE, rows });
  }
  return { tables };
}
