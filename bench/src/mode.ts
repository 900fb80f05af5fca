import type { Discipline } from './contestants/contestant.js';
import type { Field } from './contestants/field.js';
import type { Workload } from './drive/workload.js';

/** A workload, and checks in flight. */
export interface Cell {
  readonly workload: Workload['kind'];
  readonly inFlight: number;
  readonly field: Field;
}

/** How long and how much is measured. */
export interface Mode {
  readonly name: 'smoke' | 'short' | 'full';
  /** Turns of each contestant in a table. */
  readonly rounds: number;
  /** Milliseconds of a turn. */
  readonly slice: number;
  /** Milliseconds that each contestant runs before a table begins. */
  readonly warmUp: number;
  /** Checks before the first table, until V8 has optimised the code. */
  readonly warmChecks: number;
  /** Whether all contestants share a process, because a smoke test has no time to start many. */
  readonly together: boolean;
  readonly cells: readonly Cell[];
  /** The contestants with three tiers, with servers and where bytes are counted. */
  readonly field: Field;
  /** The limit of each key under attack. */
  readonly attackedLimit: number;
  /** Checks of three tiers in flight. */
  readonly tiers: readonly number[];
  /** Tables of one process with all contestants. */
  readonly light: readonly {
    readonly discipline: Extract<Discipline, 'one-tier' | 'three-tiers'>;
    readonly inFlight: number;
  }[];
  readonly memoryKeys: number;
  readonly http: HttpMode;
  /** Servers that have just started. */
  readonly cold: { readonly rounds: number; readonly requests: number };
  /** Processes that use one Redis at a time. */
  readonly processes: readonly number[];
  /** Keys that are in Redis. */
  readonly keys: readonly number[];
  /** Checks in flight, from few to many. */
  readonly loads: readonly number[];
  /** Requests in flight that hold a permit. */
  readonly permits: readonly number[];
}

export interface HttpMode {
  /** Times that all servers start again. Two processes of the same code differ by up to a tenth. */
  readonly passes: number;
  /** Turns of each server in a pass. */
  readonly rounds: number;
  /** Milliseconds of a turn that are measured. */
  readonly slice: number;
  /** Milliseconds of a turn that do not count. A server that has waited is slower at first, and the reference never waits. */
  readonly leadIn: number;
  /** Milliseconds that each server runs before it is measured, until V8 has optimised the code. */
  readonly warmUp: number;
}

/** Keys of a workload, unless the workload varies their number. */
export const KEYS = 10_000;

const ALONE = [
  { discipline: 'one-tier', inFlight: 1 },
  { discipline: 'three-tiers', inFlight: 1 },
] as const;
const LIGHT = [...ALONE, { discipline: 'one-tier', inFlight: 16 }] as const;

const smoke: Mode = {
  name: 'smoke',
  rounds: 1,
  slice: 10,
  warmUp: 2,
  warmChecks: 0,
  together: true,
  attackedLimit: 10,
  cells: [
    { workload: 'uniform', inFlight: 64, field: 'all' },
    { workload: 'zipf', inFlight: 1, field: 'main' },
    { workload: 'hot', inFlight: 16, field: 'main' },
    { workload: 'attack', inFlight: 64, field: 'main' },
  ],
  field: 'all',
  tiers: [64],
  light: [{ discipline: 'one-tier', inFlight: 1 }],
  memoryKeys: 2_000,
  http: { passes: 1, rounds: 1, slice: 20, leadIn: 0, warmUp: 0 },
  cold: { rounds: 1, requests: 200 },
  processes: [1, 2],
  keys: [1_000, 2_000],
  loads: [1, 64],
  permits: [32],
};

const short: Mode = {
  name: 'short',
  rounds: 4,
  slice: 50,
  warmUp: 100,
  warmChecks: 60_000,
  together: false,
  attackedLimit: 100,
  cells: [
    // The heaviest come last, when the code is compiled best.
    { workload: 'uniform', inFlight: 1, field: 'main' },
    { workload: 'hot', inFlight: 64, field: 'main' },
    { workload: 'uniform', inFlight: 64, field: 'main' },
    { workload: 'uniform', inFlight: 256, field: 'main' },
    { workload: 'attack', inFlight: 64, field: 'main' },
  ],
  field: 'main',
  tiers: [64],
  light: ALONE,
  memoryKeys: 100_000,
  http: { passes: 1, rounds: 2, slice: 200, leadIn: 50, warmUp: 800 },
  cold: { rounds: 2, requests: 5_000 },
  processes: [1, 2],
  keys: [1_000, 100_000],
  loads: [1, 256],
  permits: [1],
};

const full: Mode = {
  name: 'full',
  // Many short turns, because machines change their speed within seconds. A turn is long enough for a lease to learn the
  // demand, which it forgets while others have their turns.
  rounds: 9,
  slice: 100,
  warmUp: 200,
  warmChecks: 200_000,
  together: false,
  attackedLimit: 200,
  cells: [
    { workload: 'uniform', inFlight: 64, field: 'all' },
    { workload: 'uniform', inFlight: 256, field: 'usual' },
    { workload: 'uniform', inFlight: 16, field: 'usual' },
    { workload: 'uniform', inFlight: 1, field: 'usual' },
    // The slow contestants show nothing new here.
    ...(['zipf', 'hot', 'attack'] as const).flatMap((workload) => [
      { workload, inFlight: 64, field: 'usual' as const },
      ...[256, 16, 1].map((inFlight) => ({ workload, inFlight, field: 'main' as const })),
    ]),
  ],
  field: 'all',
  tiers: [64, 256, 1],
  light: LIGHT,
  memoryKeys: 1_000_000,
  http: { passes: 5, rounds: 2, slice: 350, leadIn: 150, warmUp: 4_000 },
  cold: { rounds: 7, requests: 5_000 },
  processes: [1, 2, 4],
  keys: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  loads: [1, 4, 16, 64, 256, 1_024],
  // A batch takes half of these checks: 32 with 64 and more.
  permits: [1, 32, 128],
};

export const modes = { smoke, short, full };
