import { contestants, REFERENCE } from '../contestants/index.js';
import type { Workload } from '../drive/workload.js';
import { KEYS } from '../mode.js';
import type { Bench, PartResult, Table } from './bench.js';
import { race } from './race.js';

const TITLES: Readonly<Record<Workload['kind'], string>> = {
  uniform: '10 000 keys, uniform',
  zipf: '10 000 keys, zipf 1.1',
  hot: 'one hot key',
  attack: 'attack, 90 % denied',
};

/** One tier on Redis: each workload with few and with many checks under way. */
export async function redisPart(bench: Bench): Promise<PartResult> {
  const tables: Table[] = [];
  for (const { workload, inFlight, extras = false } of bench.mode.cells) {
    const title = `One tier: ${TITLES[workload]}, ${inFlight} in flight`;
    const names = contestants
      .filter(({ discipline, extra }) => discipline === 'one-tier' && (extras || !extra))
      .map(({ name }) => name);
    const rows = await race(bench, {
      title,
      contestants: names,
      workload: { kind: workload, keys: KEYS },
      inFlight,
    });
    tables.push({ part: 'redis', title, workload, inFlight, reference: REFERENCE, rows });
  }
  return { tables };
}
