import { ConfigError } from '@sluice/core';
import { line } from '@sluice/overload/line';
import { binsOf } from '../../charts/bins.js';
import { usage } from '../../failure/failure.js';
import type { AnyTier } from '../../limits/any-tier.js';
import { Trial } from '../../limits/trial.js';
import { randomOf } from '../random/random.js';
import { workersOfOneKey, type Worker } from './worker.js';
import { WAYS, type Way } from './ways.js';
import { runWorkers, type WorkerRun } from './worker-runs.js';

/** The document of `--json`. */
export interface WorkersReport {
  readonly load: string;
  readonly seed: number;
  readonly workers: number;
  /** The tier whose key the workers share. */
  readonly tier: string;
  readonly ways: readonly WayReport[];
  /** Why the tier takes no line. Absent if it takes one. */
  readonly withoutLine?: string;
  /** Milliseconds of a bin of the timelines. */
  readonly width: number;
  readonly bins: number;
}

export interface WayReport {
  readonly name: string;
  readonly requests: number;
  readonly served: number;
  /** Milliseconds until all were served. Absent if some were not. */
  readonly took?: number;
  /** The part of the workers that needed three requests at most, as SDKs try. */
  readonly soon: number;
  readonly worstDenials: number;
  /** Jain's index of the requests of workers. 1: all have sent as many. */
  readonly index: number;
  /** The most requests in a second. */
  readonly peak: number;
  /** Requests in each bin. */
  readonly timeline: readonly number[];
}

export interface WorkersSetup {
  readonly workers: number;
  /** Milliseconds, at most. */
  readonly duration: number;
  readonly seed: number;
  readonly text: string;
}

const MOST_WORKERS = 2_000;
/** Windows that a line may be long. */
const LONG = 10;
const DAY = 86_400_000;
/** Longer than workers come late. */
const KEEP = '100ms';

/** The number of workers of `--load workers:500`. Undefined for other loads. @throws Failure for a number that is no fleet */
export function workersOf(loads: readonly string[]): number | undefined {
  const counts = loads.flatMap((text) => /^workers:(.*)$/.exec(text)?.[1] ?? []);
  if (counts.length === 0) return undefined;
  const workers = Number(counts[0]);
  if (loads.length > 1)
    throw usage('--load: workers come alone, all at once: write --load workers:500 and no other load');
  if (Number.isInteger(workers) && workers >= 2 && workers <= MOST_WORKERS) return workers;
  throw usage(`--load: write 2 to ${MOST_WORKERS} workers, such as workers:500, got workers:${counts[0]}`);
}

/** @throws ConfigError of core, Failure for limits without a rate */
export function workersReportOf(tiers: readonly AnyTier<Worker>[], setup: WorkersSetup): WorkersReport {
  const { workers, duration, seed, text } = setup;
  const slowest = slowestOf(tiers);
  const { window } = slowest;
  const lined = tiers.some((tier) => 'line' in tier) ? undefined : withLine(tiers, slowest);
  const fleet = workersOfOneKey(workers);
  const trialOf = ({ hasLine }: Way) => (hasLine ? lined?.open() : new Trial<Worker>(tiers));
  const runs = WAYS.flatMap((way) => {
    const trial = trialOf(way);
    if (trial === undefined) return [];
    const random = randomOf(seed);
    return [{ way, run: runWorkers(trial, fleet, { way, setup: { duration, window }, random }) }];
  });
  const end = Math.max(...runs.map(({ run }) => run.took)) + 1;
  const { width, bins } = binsOf(end);
  return {
    load: text,
    seed,
    workers,
    tier: slowest.name,
    ways: runs.map(({ way, run }) => wayReport(way, run, { width, bins })),
    ...(lined?.reason !== undefined && { withoutLine: lined.reason }),
    width,
    bins,
  };
}

interface Slowest {
  readonly name: string;
  /** Milliseconds of a unit. */
  readonly every: number;
  readonly window: number;
}

/** The tier that decides how long a fleet takes. */
function slowestOf(tiers: readonly AnyTier<Worker>[]): Slowest {
  const rates = new Trial<Worker>(tiers).tiers.flatMap(({ name, shadow, rate, window }) =>
    rate === undefined || shadow ? [] : [{ name, window, ...rate }],
  );
  if (rates.length === 0) throw usage('--load workers: needs limits with a rate, such as --limits 100/1m');
  return rates.reduce((slowest, each) => (each.every > slowest.every ? each : slowest));
}

/** The same limits with a line at one tier, or why that tier takes none. */
function withLine(tiers: readonly AnyTier<Worker>[], { name, window }: Slowest) {
  const longest = `${Math.min(49 * DAY, Math.max(60_000, Math.ceil(LONG * window)))}ms` as const;
  const lined = tiers.map((tier) =>
    tier.name === name || tiers.length === 1
      ? { ...tier, line: line({ longest, keep: KEEP, by: ({ worker }: Worker) => worker }) }
      : tier,
  );
  const open = () => new Trial<Worker>(lined);
  try {
    open();
    return { open, reason: undefined };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { open: () => undefined, reason: error.message };
  }
}

function wayReport(
  { name }: Way,
  { sent, served, took, moments }: WorkerRun,
  { width, bins }: { width: number; bins: number },
): WayReport {
  const workers = sent.length;
  const timeline = new Array<number>(bins).fill(0);
  for (const moment of moments) timeline[Math.min(bins - 1, Math.floor(moment / width))]! += 1;
  return {
    name,
    requests: moments.length,
    served,
    ...(served === workers && { took }),
    soon: sent.filter((each) => each <= 3).length / workers,
    worstDenials: Math.max(...sent) - (served === workers ? 1 : 0),
    index: moments.length ** 2 / (workers * sent.reduce((sum, each) => sum + each ** 2, 0)),
    peak: mostInASecond(moments),
    timeline,
  };
}

function mostInASecond(moments: readonly number[]): number {
  let [most, first] = [0, 0];
  for (let last = 0; last < moments.length; last += 1) {
    while (moments[first]! <= moments[last]! - 1e3) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
