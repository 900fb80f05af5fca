import type { Redis } from 'ioredis';
import { entrants } from '../contestants/index.js';
import type { Mode } from '../mode.js';
import type { Bench, Footprint, Part, PartResult } from './bench.js';
import { WARM } from './plan.js';

const KEYS = 2_000;
const SAMPLED = 200;

/** Bytes that Redis stores for a client, of each contestant. */
export const bytesPart: Part = {
  plan: (mode) => measuredIn(mode).length * (KEYS / WARM),
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const { mode, drivers, meter, port, progress, seed } = bench;
  const measured = measuredIn(mode);
  progress.begin('Bytes a key in Redis', measured.length);
  const footprints: Footprint[] = [];
  for (const { name, kind } of measured) {
    await meter.flush();
    const { call } = drivers.of(name);
    const workload = { kind: 'uniform', keys: KEYS } as const;
    // A prefix of two letters, as Sluice has by default.
    const numbers = { limit: 1_000_000, window: 86_400_000, prefix: 'rl', maxKeys: 0 };
    await call.open({ contestant: name, port, ...numbers, workload, seed });
    await call.fill(name, KEYS, 64);
    footprints.push({ where: 'redis', contestant: name, kind, bytes: (await allBytes(meter.client)) / KEYS });
    progress.step();
  }
  return { tables: [], footprints };
}

/** Of all keys, from some of them. */
async function allBytes(client: Redis): Promise<number> {
  const keys = await client.dbsize();
  const [, found] = await client.scan(0, 'COUNT', SAMPLED);
  const sizes = await Promise.all(found.map((key) => client.memory('USAGE', key, 'SAMPLES', 0)));
  return (sizes.reduce<number>((sum, size) => sum + Number(size), 0) / sizes.length) * keys;
}

function measuredIn({ field }: Mode) {
  return entrants('one-tier', field, 'uniform').filter(({ decidesNothing }) => decidesNothing !== true);
}
