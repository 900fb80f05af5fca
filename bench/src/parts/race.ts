import { contestantNamed, REFERENCE } from '../contestants/index.js';
import type { SliceResult } from '../drive/entry.js';
import type { Workload } from '../drive/workload.js';
import { interleave, sliceCount } from '../measure/interleave.js';
import { rowsOf, type Row } from '../measure/row.js';
import type { Sample } from '../measure/sample.js';
import { median } from '../measure/statistics.js';
import { KEYS } from '../mode.js';
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

/** What the reference does while others have more and more keys. */
const USUAL = { workload: { kind: 'uniform', keys: KEYS }, fill: 0 } as const;

/** Contestants on one Redis, side by side. */
export async function race(bench: Bench, options: Race): Promise<readonly Row[]> {
  const { mode, progress, meter, seed } = bench;
  const { title, contestants, workload, inFlight, copies = 1 } = options;
  const all = [...new Set([REFERENCE, ...contestants])];
  progress.begin(title, all.length + sliceCount({ contestants, rounds: mode.rounds }));
  await meter.flush();
  const bytes = new Map<string, number>();
  for (const [index, name] of all.entries()) {
    const own = options.fill !== undefined && name === REFERENCE ? { ...options, ...USUAL } : options;
    bytes.set(name, await prepare(bench, own, name, `b${index}`));
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
  const rows = rowsOf(
    contestants.map((contestant) => ({
      contestant,
      kind: contestantNamed(contestant).kind,
      samples: samples.get(contestant)!,
    })),
  );
  return options.fill === undefined ? rows : rows.map((row) => ({ ...row, bytesPerKey: bytes.get(row.contestant) }));
}

/** Opens a contestant and gives it its keys; resolves to the bytes that each of those it was filled with takes. */
async function prepare(bench: Bench, entry: Race, contestant: string, prefix: string): Promise<number> {
  const { mode, port, drivers, meter, seed } = bench;
  const { workload, inFlight, copies = 1, fill = 0 } = entry;
  const before = await meter.memory();
  let bytes = NaN;
  const limit = workload.kind === 'attack' ? mode.attackedLimit : LIMIT;
  for (let copy = 0; copy < copies; copy += 1) {
    const { call } = drivers.of(contestant, copy);
    const options = { contestant, port, limit, window: DAY, prefix, maxKeys: 0, workload, seed: seed + copy };
    await call.open(options);
    if (workload.kind === 'attack') await call.spend(contestant, limit);
    if (copy === 0 && fill > 0) {
      await call.fill(contestant, fill, 256);
      bytes = ((await meter.memory()) - before) / fill;
    }
    await drivers.warmUp(contestant, { mode, copy, inFlight, timed: true });
  }
  return bytes;
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
    bytesIn: used.bytesIn / checks,
    bytesOut: used.bytesOut / checks,
    commands: sum(({ sent }) => sent) / checks,
    fromProcess: sum(({ fromProcess }) => fromProcess) / checks,
    trouble: troubleOf(slices, { decides: !contestantNamed(name).decidesNothing, workload: workload.kind }),
  };
}
