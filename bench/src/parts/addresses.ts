import type { AddressVerbs } from '../drive/address-process.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import { CPU_ALONE, type Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import { startChild, type Child } from '../processes/child.js';
import type { Bench, Footprint, Part, PartResult } from './bench.js';
import { raceSeconds, START } from './plan.js';

const REFERENCE = 'Sluice, one tier, 1 000 addresses';
/** Addresses whose memory is counted. */
const COUNTED = 100_000;

interface Entrant {
  readonly name: string;
  readonly tiers: number;
  readonly addresses: number;
  /** Of a store that is full. @default twice as many as it needs */
  readonly maxKeys?: number;
}

const entrants: readonly Entrant[] = [
  { name: REFERENCE, tiers: 1, addresses: 1_000 },
  { name: 'Sluice, one tier, 50 000 addresses', tiers: 1, addresses: 50_000 },
  { name: 'Sluice, three tiers, 1 000 addresses', tiers: 3, addresses: 1_000 },
  { name: 'Sluice, three tiers, 50 000 addresses', tiers: 3, addresses: 50_000 },
  { name: 'Sluice, one tier, 30 000 addresses', tiers: 1, addresses: 30_000 },
  { name: 'Sluice, one tier, 30 000 addresses, room for 20 000', tiers: 1, addresses: 30_000, maxKeys: 20_000 },
  { name: 'Sluice, three tiers, 50 000 addresses, room for 33 000', tiers: 3, addresses: 50_000, maxKeys: 33_000 },
];
const measured = entrants.map(({ name }) => ({ name, kind: 'sluice' as const }));

/** A limiter with few and with many clients, one after the other, and with one and three tiers. */
export const addressesPart: Part = {
  // The reference runs beside each of the others.
  plan: (mode) => raceSeconds(mode, entrants.length - 1) + (entrants.length + 2) * START,
  run,
};

async function run(bench: Bench): Promise<PartResult> {
  const { mode, progress, seed } = bench;
  const title = 'Memory: limits by address, one after the other';
  const names = measured.map(({ name }) => name).filter((name) => name !== REFERENCE);
  progress.begin(title, sliceCount({ contestants: names, rounds: mode.rounds }));
  const footprints: Footprint[] = [];
  for (const tiers of [1, 3]) footprints.push(await footprintOf(bench, tiers));
  // A process each: all limiters of a process share the identities of addresses, which would be too many.
  const processes = new Map(entrants.map(({ name }) => [name, start(bench)]));
  try {
    for (const { name, ...order } of entrants) {
      const { tiers, addresses, maxKeys = 2 * tiers * addresses } = order;
      const { call } = processes.get(name)!;
      await call.open({ tiers, addresses, maxKeys });
      await call.slice(mode.warmUp);
    }
    const samples = await interleave({
      contestants: names,
      reference: REFERENCE,
      rounds: mode.rounds,
      seed,
      measure: (name) => measure(mode, processes.get(name)!),
      onSlice: () => progress.step(),
    });
    const rows = rowsOf(
      measured.filter(({ name }) => name !== REFERENCE),
      samples,
    );
    return { tables: [{ part: 'addresses', title, reference: REFERENCE, rows }], footprints };
  } finally {
    await Promise.all([...processes.values()].map((child) => child.end()));
  }
}

function start({ cores }: Bench): Child<AddressVerbs> {
  return startChild(new URL('../drive/address-process.ts', import.meta.url), { cores: cores?.contestants });
}

async function footprintOf(bench: Bench, tiers: number): Promise<Footprint> {
  const child = start(bench);
  try {
    const bytes = await child.call.bytesOf({ tiers, addresses: COUNTED, maxKeys: 3 * tiers * COUNTED });
    return { where: 'heap', contestant: `Sluice, an address in ${tiers} tiers`, kind: 'sluice', bytes };
  } finally {
    await child.end();
  }
}

async function measure(mode: Mode, { call }: Child<AddressVerbs>): Promise<Sample> {
  await call.collect();
  // What others have left in the caches of the processor does not count.
  await call.slice(mode.slice / 2);
  const { checks, seconds, cpu } = await call.slice(mode.slice);
  return { ...CPU_ALONE, rate: checks / seconds, p50: (seconds / checks) * 1e6, cpu: cpu / checks };
}
