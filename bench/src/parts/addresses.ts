import { byIp, createLimiter, memoryStore, type Decision } from '@sluice/http';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import type { Mode } from '../mode.js';
import type { Bench, Footprint, Part, PartResult } from './bench.js';
import { raceSeconds } from './plan.js';

const REFERENCE = 'Sluice, one tier, 1 000 addresses';
const WINDOWS = ['1m', '1h', '1d'] as const;
/** Checks between two looks at the clock. */
const STRIDE = 500;
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

/** A limiter in this process with few and with many clients, one after the other, and with one and three tiers. */
export const addressesPart: Part = {
  // The reference runs beside each of the others.
  plan: (mode) => raceSeconds(mode, entrants.length - 1),
  run,
};

async function run({ mode, progress, seed }: Bench): Promise<PartResult> {
  const title = 'Memory: limits by address, one after the other';
  const names = measured.map(({ name }) => name).filter((name) => name !== REFERENCE);
  progress.begin(title, sliceCount({ contestants: names, rounds: mode.rounds }));
  // Before the others have made identities, which all limiters share.
  const footprints = [1, 3].map(footprintOf);
  const checks = new Map(entrants.map((entrant, net) => [entrant.name, checksOf(entrant, net)]));
  for (const check of checks.values()) await slice(check, mode.warmUp);
  const samples = await interleave({
    contestants: names,
    reference: REFERENCE,
    rounds: mode.rounds,
    seed,
    measure: (name) => measure(mode, checks.get(name)!),
    onSlice: () => progress.step(),
  });
  const rows = rowsOf(
    measured.filter(({ name }) => name !== REFERENCE),
    samples,
  );
  return { tables: [{ part: 'addresses', title, reference: REFERENCE, rows }], footprints };
}

/** Heap and typed arrays that an address takes, with its identity. */
function footprintOf(tiers: number): Footprint {
  const consume = limiterOf(tiers, 2 * tiers * COUNTED);
  const net = 100 + tiers;
  // What the limiter makes once does not count.
  consume({ ip: `10.${net}.255.255` });
  const before = memoryUsed();
  for (let host = 0; host < COUNTED; host += 1)
    consume({ ip: `${net}.${host >> 16}.${(host >> 8) & 255}.${host & 255}` });
  const bytes = (memoryUsed() - before) / COUNTED;
  return { where: 'heap', contestant: `Sluice, an address in ${tiers} tiers`, kind: 'sluice', bytes };
}

function memoryUsed(): number {
  // Once more, for what the first collection has made garbage.
  for (let turn = 0; turn < 3; turn += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function limiterOf(tiers: number, maxKeys: number): (subject: { ip: string }) => Decision {
  const limiter = createLimiter<{ ip: string }>({
    store: memoryStore({ maxKeys }),
    tiers: WINDOWS.slice(0, tiers).map((window) => ({
      name: window,
      key: byIp(),
      algorithm: 'fixed-window',
      limit: 1e9,
      window,
    })),
  });
  return (subject) => {
    const decision = limiter.consume(subject);
    if (decision instanceof Promise) throw new Error('a memory store answers synchronously');
    return decision;
  };
}

/** Checks the next address. @param net its own addresses, because identities are shared by all limiters */
function checksOf({ tiers, addresses, maxKeys = 2 * tiers * addresses }: Entrant, net: number): () => void {
  const consume = limiterOf(tiers, maxKeys);
  const subjects = Array.from({ length: addresses }, (_, number) => ({
    ip: `10.${net}.${number >> 8}.${number & 255}`,
  }));
  for (const subject of subjects) consume(subject);
  let next = 0;
  return () => {
    consume(subjects[next]!);
    next = (next + 1) % addresses;
  };
}

async function measure(mode: Mode, check: () => void): Promise<Sample> {
  globalThis.gc?.();
  // What others have left in the caches of the processor does not count.
  await slice(check, mode.slice / 2);
  return slice(check, mode.slice);
}

async function slice(check: () => void, milliseconds: number): Promise<Sample> {
  const cpu = process.cpuUsage();
  const begin = performance.now();
  let checks = 0;
  while (performance.now() - begin < milliseconds) {
    for (let index = 0; index < STRIDE; index += 1) check();
    checks += STRIDE;
  }
  const seconds = (performance.now() - begin) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  const none = { p99: NaN, redisCpu: 0, scriptTime: 0, bytesIn: 0, bytesOut: 0, commands: 0, fromProcess: 1 };
  return { ...none, rate: checks / seconds, p50: (seconds / checks) * 1e6, cpu: (user + system) / checks };
}
