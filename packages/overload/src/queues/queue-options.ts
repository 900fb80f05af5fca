import type { Duration, DurationRange, OptionRows } from '@sluice/core/internal';
import type { Priority } from '../shed/priority.js';
import type { ScarceQueue } from '../shed/scarce-queue.js';
import type { ShedderFeature } from '../shed/shedder-feature.js';

export interface QueueOptions {
  /**
   * The wait for a place that is no overload, from 5 ms to 10 s.
   *
   * @default '200ms'
   */
  target?: Duration;
  /**
   * Acquisitions of `wait` that the pool is asked for together, from 1 to 10,000: take the size of the pool. The others wait in
   * the order of their priorities. A pool that is watched says itself how much room it has, but for an Agent or a Pool of undici.
   *
   * @default 10
   */
  max?: number;
  /**
   * `'shadow'` refuses nothing, and publishes what it would refuse. `'off'` does nothing.
   *
   * @default 'enforce'
   */
  mode?: 'off' | 'shadow' | 'enforce';
}

/** What an acquisition is for. */
export interface WaitOptions {
  /** The request of a gate whose handler acquires. @default the one whose handler runs */
  request?: object;
  /** @default that of the request; `'normal'` for work without a request */
  priority?: Priority;
  /** Leaves the queue. @default when the client of the request has left, or its deadline is over */
  signal?: AbortSignal;
}

/** The queue before something scarce. A shedder with this feature has acquisitions know the request that they are for. */
export interface QueueDelay extends ScarceQueue, ShedderFeature {
  /** Acquisitions that wait. */
  readonly waiting: number;
  /**
   * Acquires when it is its turn.
   *
   * @param acquire asks the pool
   * @throws OverloadError, as a rejection; the reason of a signal; and what `acquire` throws
   * @example const client = await database.wait(() => pool.acquire());
   */
  wait<T>(acquire: () => PromiseLike<T> | T, options?: WaitOptions): Promise<T>;
  /**
   * Has a pool of pg, mysql2, knex or undici wait for each connection: all its queries are in the queue.
   *
   * @returns the same pool
   * @throws ConfigError OPTION_INVALID for another value, or one that is watched already
   * @example const pool = database.watch(new Pool({ max: 10 }));
   */
  watch<Pool extends object>(pool: Pool): Pool;
}

const TARGET: DurationRange = { range: '5 ms to 10 s', min: 5e3, max: 1e7, example: "'200ms'", isShort: true };

export const QUEUE_ROWS = {
  name: {
    is: (name) => typeof name === 'string' && /^[\w.-]{1,64}$/.test(name),
    words: "a name of 1 to 64 letters, digits, '.', '_' or '-', such as 'database'",
    required: true,
  },
  target: { milliseconds: TARGET, otherwise: '200ms' },
  max: { integer: [1, 10_000] },
  mode: { oneOf: ['off', 'shadow', 'enforce'], otherwise: 'enforce' },
} as const satisfies OptionRows;

/** Options that were checked. */
export interface QueueSettings {
  readonly name: string;
  /** In milliseconds. */
  readonly target: number;
  /** Undefined where nobody has said it. */
  readonly max: number | undefined;
  readonly mode: 'off' | 'shadow' | 'enforce';
}
