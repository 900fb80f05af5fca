import type { Drivers } from '../measure/drivers.js';
import type { RedisMeter } from '../measure/redis-meter.js';
import type { Row } from '../measure/row.js';
import type { Mode } from '../mode.js';
import type { Cores } from '../processes/cores.js';
import type { Progress } from '../progress.js';

/** The parts of a run. */
export interface Bench {
  readonly mode: Mode;
  readonly port: number;
  /** The process of Redis. */
  readonly redis: number;
  /** Undefined where the system places all processes. */
  readonly cores: Cores | undefined;
  readonly meter: RedisMeter;
  readonly drivers: Drivers;
  readonly progress: Progress;
  readonly seed: number;
}

export const partNames = [
  'redis',
  'tiers',
  'light',
  'scripts',
  'bytes',
  'memory',
  'limiters',
  'addresses',
  'outage',
  'observed',
  'overrides',
  'quotas',
  'permits',
  'http',
  'unsent',
  'inside',
  'cold',
  'imports',
  'processes',
  'keys',
  'batches',
] as const;
/** Those of a whole run, and those that run when they are named: there is no time for more. */
export const allPartNames = [...partNames, 'overload', 'lines'] as const;
export type PartName = (typeof allPartNames)[number];

/** Contestants that were measured side by side. */
export interface Table {
  readonly part: PartName;
  readonly title: string;
  readonly workload?: string;
  readonly inFlight?: number;
  readonly reference: string;
  /** The horizontal value of a curve: processes, keys or checks in flight. */
  readonly x?: number;
  readonly rows: readonly Row[];
}

/** Bytes that a contestant stores for a key. */
export interface Footprint {
  readonly where: 'redis' | 'heap';
  readonly contestant: string;
  readonly kind: Row['kind'];
  readonly bytes: number;
}

export interface PartResult {
  readonly tables: readonly Table[];
  readonly footprints?: readonly Footprint[];
  /** The load generator of HTTP. */
  readonly generator?: string;
}

export interface Part {
  /** Seconds that it is going to take, roughly. */
  plan(mode: Mode): number;
  run(bench: Bench): Promise<PartResult>;
}
