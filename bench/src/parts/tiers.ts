import { entrants, REFERENCE } from '../contestants/index.js';
import { KEYS, type Mode } from '../mode.js';
import type { Bench, Part, PartResult, Table } from './bench.js';
import { raceSeconds, startSeconds } from './plan.js';
import { race } from './race.js';

/** Three tiers of one request, each with a key of its own. */
export const tiersPart: Part = {
  plan(mode) {
    const { length } = namesOf(mode);
    // Each check is three.
    return mode.tiers.length * raceSeconds(mode, length) + startSeconds(mode, 2 * length);
  },
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const names = namesOf(bench.mode);
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

function namesOf({ field }: Mode): readonly string[] {
  return entrants('three-tiers', field, 'uniform').map(({ name }) => name);
}
