import { binsOf } from '../charts/bins.js';
import type { Load } from './load.js';
import type { SimulatedTierReport, Simulation } from './simulation.js';
import type { Charge } from './worst-window.js';

/** The document of `--json`. */
export interface SimulationReport {
  readonly load: string;
  readonly seed: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly requests: number;
  readonly clients: number;
  readonly limits: LimitsReport;
  readonly against?: LimitsReport;
  /** Milliseconds of a bin of the timelines. */
  readonly width: number;
  /** Requests in each bin. */
  readonly offered: readonly number[];
}

export interface LimitsReport {
  readonly admitted: number;
  readonly denied: number;
  /** Milliseconds. Absent if nothing was denied. */
  readonly longestWait?: number;
  readonly longestDelay: number;
  readonly tiers: readonly SimulatedTierReport[];
  /** Requests that go on in each bin. */
  readonly timeline: readonly number[];
  /** The most units of all clients together in the window of the first tier, at the end of each bin. */
  readonly inWindow: readonly number[];
}

export interface SimulationSetup {
  readonly limits: Simulation;
  readonly against: Simulation | undefined;
  readonly text: string;
  readonly seed: number;
}

export function reportOf(
  { arrivals, clients, duration }: Load,
  { limits, against, text, seed }: SimulationSetup,
): SimulationReport {
  const end = Math.max(duration, arrivals.at(-1)!.time + 1);
  const { width, bins } = binsOf(end);
  const part = ({ admissions, ...simulation }: Simulation): LimitsReport => ({
    ...simulation,
    timeline: perBin(admissions, { width, bins }),
    inWindow: mostInWindow(admissions, { width, bins, window: simulation.tiers[0]!.window }),
  });
  return {
    load: text,
    seed,
    duration: end,
    requests: arrivals.length,
    clients,
    limits: part(limits),
    ...(against && { against: part(against) }),
    width,
    offered: perBin(arrivals, { width, bins }),
  };
}

function perBin(moments: readonly { readonly time: number }[], { width, bins }: { width: number; bins: number }) {
  const counts = new Array<number>(bins).fill(0);
  // What a queue delays beyond the end is not shown.
  for (const { time } of moments) if (time < width * bins) counts[Math.floor(time / width)]! += 1;
  return counts;
}

/** The most units of the last window, in each bin. */
function mostInWindow(
  charges: readonly Charge[],
  { width, bins, window }: { width: number; bins: number; window: number },
) {
  const most = new Array<number>(bins).fill(0);
  let [first, next, sum] = [0, 0, 0];
  for (let bin = 0; bin < bins; bin += 1) {
    const expire = (now: number) => {
      while (first < next && charges[first]!.time <= now - window) sum -= charges[first++]!.units;
    };
    expire(bin * width);
    most[bin] = sum;
    for (; next < charges.length && charges[next]!.time < (bin + 1) * width; next += 1) {
      expire(charges[next]!.time);
      sum += charges[next]!.units;
      most[bin] = Math.max(most[bin]!, sum);
    }
  }
  return most;
}
