import { contestantNamed, REFERENCE } from '../contestants/index.js';
import type { SliceResult } from '../drive/entry.js';
import type { Workload } from '../drive/workload.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf, type Row } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import { median } from '../measure/statistics.js';
import { KEYS, type Mode } from '../mode.js';
import type { Bench } from './bench.js';
import { troubleOf } from './trouble.js';

export interface Race {
  readonly title: string;
  readonly contestants: readonly string[];
  readonly workload: Workload;
  readonly inFlight: number;
  /** Processes of each contestant, which run at the same time. @default 1 */
  readonly copies?: number;
  /** Keys that the contestants have in Redis before the workload begins; the reference has its usual ones. */
  readonly fill?: number;
}

const DAY = 86_400_000;
/** Out of reach, and in the range where one integer holds the state of a window that slides. */
const LIMIT = 1_000_000;

/** The workload of the reference while others have more and more keys. */
const USUAL = { workload: { kind: 'uniform', keys: KEYS }, fill: 0 } as const;

/** Contestants on one Redis, side by side. */
export async function race(bench: Bench, options: Race): Promise<readonly Row[]> {
  const { mode, progress, meter, seed } = bench;
  const { title, contestants, workload, inFlight, copies = 1 } = options;
  const all = [...new Set([REFERENCE, ...contestants])];
  progress.begin(title, all.length + sliceCount({ contestants, rounds: mode.rounds }));
  await meter.flush();
  const bytes = new Map<string, number>();
  const entries = all.map((name, index) => ({
    ...(options.fill !== undefined && name === REFERENCE ? { ...options, ...USUAL } : options),
    name,
    prefix: `b${index}`,
  }));
  // All processes start at once, as most of that is waiting.
  await Promise.all(entries.map((entry) => open(bench, entry)));
  for (const entry of entries) {
    bytes.set(entry.name, await prepare(bench, entry));
    progress.step();
  }

  const measure = (name: string) => measureSlice(bench, { name, workload, inFlight, copies });
  const samples = await interleave({
    contestants,
    rounds: mode.rounds,
    seed,
    measure,
    reference: REFERENCE,
    onSlice: () => progress.step(),
  });
  const rows = rowsOf(contestants.map(contestantNamed), samples);
  return options.fill === undefined ? rows : rows.map((row) => ({ ...row, bytesPerKey: bytes.get(row.contestant) }));
}

interface Entry extends Race {
  readonly name: string;
  /** Of its keys. */
  readonly prefix: string;
}

async function open(
  { mode, port, drivers, seed }: Bench,
  { name, prefix, workload, copies = 1 }: Entry,
): Promise<void> {
  const numbers = { limit: limitOf(mode, workload), window: DAY, prefix, maxKeys: 0 };
  for (let copy = 0; copy < copies; copy += 1) {
    await drivers.of(name, copy).call.open({ contestant: name, port, ...numbers, workload, seed: seed + copy });
  }
}

/** Gives a contestant its keys; resolves to the bytes that each of those it was filled with takes. */
async function prepare({ mode, drivers, meter }: Bench, entry: Entry): Promise<number> {
  const { name, workload, inFlight, copies = 1, fill = 0 } = entry;
  const { call } = drivers.of(name);
  const before = await meter.memory();
  if (workload.kind === 'attack') await call.spend(name, limitOf(mode, workload));
  if (fill > 0) await call.fill(name, fill, 256);
  const bytes = ((await meter.memory()) - before) / fill;
  for (let copy = 0; copy < copies; copy += 1) {
    await drivers.warmUp(name, { mode, copy, inFlight, timed: true });
  }
  return bytes;
}

function limitOf({ attackedLimit }: Mode, { kind }: Workload): number {
  return kind === 'attack' ? attackedLimit : LIMIT;
}

interface Slicing {
  readonly name: string;
  readonly workload: Workload;
  readonly inFlight: number;
  readonly copies: number;
}

async function measureSlice(bench: Bench, { name, workload, inFlight, copies }: Slicing): Promise<Sample> {
  const { mode, meter, drivers } = bench;
  const calls = Array.from({ length: copies }, (_, copy) => drivers.of(name, copy).call);
  await Promise.all(calls.map((call) => call.collect()));
  const order = { inFlight, milliseconds: mode.slice, timed: true };
  const { value: slices, used } = await meter.around(() => Promise.all(calls.map((call) => call.slice(name, order))));
  const sum = (of: (slice: SliceResult) => number) => slices.reduce((total, slice) => total + of(slice), 0);
  const checks = sum((slice) => slice.checks);
  return {
    rate: sum((slice) => slice.checks / slice.seconds),
    p50: median(slices.map(({ p50 }) => p50)),
    p99: median(slices.map(({ p99 }) => p99)),
    cpu: sum(({ cpu }) => cpu) / checks,
    redisCpu: used.cpu / checks,
    scriptTime: used.scripts / checks,
    bytesIn: used.bytesIn / checks,
    bytesOut: used.bytesOut / checks,
    commands: sum(({ sent }) => sent) / checks,
    fromProcess: sum(({ fromProcess }) => fromProcess) / checks,
    trouble: troubleOf(slices, { decides: !contestantNamed(name).decidesNothing, workload: workload.kind }),
  };
}
