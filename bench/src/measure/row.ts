import type { Kind } from '../contestants/contestant.js';
import type { PairedSample, Sample } from './sample.js';
import { lowerQuartile, median, spread } from './statistics.js';

/** A contestant's row of a table: medians of its slices. */
export interface Row extends Omit<Sample, 'trouble' | 'userCpu' | 'startTime' | 'isUnsent'> {
  readonly contestant: string;
  readonly kind: Kind;
  /** Slices that count. */
  readonly slices: number;
  /** Its rate to that of the reference around it, and how far that lies apart. */
  readonly ratio: number;
  readonly spread: number;
  /** Of each slice that counts. */
  readonly ratios: readonly number[];
  /** The same of the median latency, and of the CPU of Redis and of the client. */
  readonly p50Ratio: number;
  readonly redisCpuRatio: number;
  readonly cpuRatio: number;
  /** Microseconds in user mode beyond those of the reference around it, for an HTTP server. */
  readonly addedUserCpu?: number | undefined;
  /** Microseconds of CPU beyond those of the reference, for requests without sockets: lower quartiles of all slices. */
  readonly addedCpu?: number | undefined;
  /** Milliseconds from the load of an HTTP server's code until it listens. */
  readonly startTime?: number | undefined;
  /** The same, to that of the reference around it. */
  readonly startRatio?: number | undefined;
  /** Its ratio to the highest that a peer has in this table. */
  readonly toFastestPeer?: number | undefined;
  /** Bytes that Redis has taken for each key. */
  readonly bytesPerKey?: number | undefined;
  /** The reason why slices, or all of them, do not count. */
  readonly trouble?: string | undefined;
}

interface Measured {
  readonly name: string;
  readonly kind: Kind;
}

/** @param samples slices by the name of the contestant */
export function rowsOf(
  contestants: readonly Measured[],
  samples: ReadonlyMap<string, readonly PairedSample[]>,
): readonly Row[] {
  const rows = contestants.map((contestant) => rowOf(contestant, samples.get(contestant.name)!));
  const fastest = fastestPeer(rows)?.ratio;
  return rows.map((row) => ({ ...row, toFastestPeer: fastest === undefined ? undefined : row.ratio / fastest }));
}

/** The peer that is ahead of the other peers. */
export function fastestPeer(rows: readonly Row[]): Row | undefined {
  return rows
    .filter(counts)
    .filter(({ kind }) => kind === 'peer')
    .toSorted((one, other) => other.ratio - one.ratio)[0];
}

/** Whether most of its slices were what they should be. */
export function counts({ slices, trouble }: Row): boolean {
  return slices > 0 && trouble === undefined;
}

function rowOf({ name: contestant, kind }: Measured, samples: readonly PairedSample[]): Row {
  const good = samples.filter(({ sample }) => sample.trouble === undefined);
  const bad = samples.filter(({ sample }) => sample.trouble !== undefined);
  const of = (name: keyof Omit<Sample, 'trouble' | 'userCpu' | 'startTime' | 'isUnsent'>) =>
    median(good.map(({ sample }) => sample[name]));
  const to = (name: 'rate' | 'p50' | 'redisCpu' | 'cpu') =>
    good.map(({ sample, before, after }) => sample[name] / ((before[name] + after[name]) / 2));
  const ratios = to('rate');
  return {
    contestant,
    kind,
    slices: good.length,
    rate: of('rate'),
    ratio: median(ratios),
    spread: spread(ratios),
    ratios,
    p50: of('p50'),
    p99: of('p99'),
    p50Ratio: median(to('p50')),
    cpu: of('cpu'),
    cpuRatio: median(to('cpu')),
    addedUserCpu: addedUserCpu(good),
    addedCpu: addedCpu(good),
    startTime: startOf(good, ({ startTime }) => startTime!),
    startRatio: startOf(good, ({ startTime }, reference) => startTime! / reference),
    redisCpu: of('redisCpu'),
    scriptTime: of('scriptTime'),
    redisCpuRatio: median(to('redisCpu')),
    bytesIn: of('bytesIn'),
    bytesOut: of('bytesOut'),
    commands: of('commands'),
    fromProcess: of('fromProcess'),
    // Single lost slices do no harm. With half of them lost, the rest is not a measure.
    trouble:
      bad.length * 2 >= samples.length && bad.length > 0
        ? `${bad.length} of ${samples.length} slices: ${bad[0]!.sample.trouble}`
        : undefined,
  };
}

function addedUserCpu(samples: readonly PairedSample[]): number | undefined {
  const added = samples.flatMap(({ sample: { userCpu }, before, after }) =>
    userCpu === undefined ? [] : [userCpu - (before.userCpu! + after.userCpu!) / 2],
  );
  return added.length === 0 ? undefined : median(added);
}

function addedCpu(samples: readonly PairedSample[]): number | undefined {
  const unsent = samples.filter(({ sample }) => sample.isUnsent);
  if (unsent.length === 0) return undefined;
  const references = new Set(unsent.flatMap(({ before, after }) => [before, after]));
  return lowerQuartile(unsent.map(({ sample }) => sample.cpu)) - lowerQuartile([...references].map(({ cpu }) => cpu));
}

/** The median over the processes that have started. */
function startOf(
  samples: readonly PairedSample[],
  read: (sample: Sample, reference: number) => number,
): number | undefined {
  const started = samples.filter(({ sample }) => sample.startTime !== undefined);
  if (started.length === 0) return undefined;
  return median(started.map(({ sample, before, after }) => read(sample, (before.startTime! + after.startTime!) / 2)));
}
