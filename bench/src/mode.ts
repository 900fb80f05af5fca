import type { Workload } from './drive/workload.js';

/** A workload, and checks under way. */
export interface Cell {
  readonly workload: Workload['kind'];
  readonly inFlight: number;
  /** Whether contestants take part that are extra. */
  readonly extras?: boolean;
}

/** How long and how much is measured. */
export interface Mode {
  readonly name: 'smoke' | 'short' | 'full';
  /** Times that each contestant has its turn in a table. */
  readonly rounds: number;
  /** Milliseconds of a turn. */
  readonly slice: number;
  /** Milliseconds that each contestant runs before a table begins. */
  readonly warmUp: number;
  /** Checks that it makes before its first table: until then its code is not compiled well. */
  readonly warmChecks: number;
  /** All contestants share a process: starting takes longer than a smoke test may. */
  readonly together: boolean;
  readonly cells: readonly Cell[];
  /** Units that an attacker has; the others have as many, and use only some. */
  readonly attackedLimit: number;
  /** Checks of three tiers under way. */
  readonly tiers: readonly number[];
  readonly memoryKeys: number;
  readonly http: HttpMode;
  /** Processes that use one Redis at a time. */
  readonly processes: readonly number[];
  /** Keys that are in Redis. */
  readonly keys: readonly number[];
  /** Checks under way, from few to many. */
  readonly loads: readonly number[];
}

export interface HttpMode {
  readonly rounds: number;
  /** Milliseconds; wrk takes whole seconds. */
  readonly slice: number;
  /** Requests that each server has answered before. */
  readonly warmRequests: number;
}

/** Keys of a workload, unless it is about their number. */
export const KEYS = 10_000;

const IN_FLIGHT = [1, 16, 64, 256];
const WORKLOADS = ['uniform', 'zipf', 'hot', 'attack'] as const;

const smoke: Mode = {
  name: 'smoke',
  rounds: 1,
  slice: 10,
  warmUp: 2,
  warmChecks: 0,
  together: true,
  attackedLimit: 10,
  cells: [
    { workload: 'uniform', inFlight: 64, extras: true },
    { workload: 'zipf', inFlight: 1 },
    { workload: 'hot', inFlight: 16 },
    { workload: 'attack', inFlight: 64 },
  ],
  tiers: [64],
  memoryKeys: 2_000,
  http: { rounds: 1, slice: 100, warmRequests: 0 },
  processes: [1, 2],
  keys: [1_000, 2_000],
  loads: [1, 64],
};

const short: Mode = {
  name: 'short',
  rounds: 3,
  slice: 50,
  warmUp: 50,
  warmChecks: 60_000,
  together: false,
  attackedLimit: 100,
  cells: [
    { workload: 'uniform', inFlight: 1 },
    { workload: 'uniform', inFlight: 64 },
    { workload: 'uniform', inFlight: 256 },
    { workload: 'zipf', inFlight: 64 },
    { workload: 'hot', inFlight: 64 },
    { workload: 'attack', inFlight: 64 },
  ],
  tiers: [64],
  memoryKeys: 200_000,
  http: { rounds: 2, slice: 300, warmRequests: 2_000 },
  processes: [1, 2, 4],
  keys: [1_000, 10_000, 100_000],
  loads: [1, 8, 64, 512],
};

const full: Mode = {
  name: 'full',
  rounds: 7,
  slice: 160,
  warmUp: 300,
  warmChecks: 200_000,
  together: false,
  attackedLimit: 100,
  cells: WORKLOADS.flatMap((workload) =>
    IN_FLIGHT.map((inFlight) => ({ workload, inFlight, extras: workload === 'uniform' && inFlight === 64 })),
  ),
  tiers: [1, 64, 256],
  memoryKeys: 1_000_000,
  http: { rounds: 5, slice: 2_000, warmRequests: 50_000 },
  processes: [1, 2, 4],
  keys: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  loads: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024],
};

export const modes = { smoke, short, full };
