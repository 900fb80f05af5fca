import type { Drivers } from '../measure/drivers.js';
import type { RedisMeter } from '../measure/redis-meter.js';
import type { Row } from '../measure/row.js';
import type { Mode } from '../mode.js';
import type { Cores } from '../processes/cores.js';
import type { Progress } from '../progress.js';

/** What a run has at hand. */
export interface Bench {
  readonly mode: Mode;
  readonly port: number;
  /** The process of Redis. */
  readonly redis: number;
  /** Undefined where the system says who runs where. */
  readonly cores: Cores | undefined;
  readonly meter: RedisMeter;
  readonly drivers: Drivers;
  readonly progress: Progress;
  readonly seed: number;
}

export const partNames = ['redis', 'tiers', 'bytes', 'memory', 'http', 'processes', 'keys', 'batches'] as const;
export type PartName = (typeof partNames)[number];

/** Contestants that were measured side by side. */
export interface Table {
  readonly part: PartName;
  readonly title: string;
  readonly workload?: string;
  readonly inFlight?: number;
  readonly reference: string;
  /** What a curve is drawn over: processes, keys or checks under way. */
  readonly x?: number;
  readonly rows: readonly Row[];
}

/** Bytes that a contestant keeps for a key. */
export interface Footprint {
  readonly where: 'redis' | 'heap';
  readonly contestant: string;
  readonly kind: Row['kind'];
  readonly bytes: number;
}

export interface PartResult {
  readonly tables: readonly Table[];
  readonly footprints?: readonly Footprint[];
  /** What has sent the requests of HTTP. */
  readonly generator?: string;
}

export interface Part {
  /** Seconds that it is going to take, roughly. */
  plan(mode: Mode): number;
  run(bench: Bench): Promise<PartResult>;
}
