import { readOptions } from '@sluice/core/internal';
import { loopWatch, type LoopClock } from '../shed/loop-watch.js';
import { AcquisitionQueue } from './acquisition-queue.js';
import { QUEUE_ROWS, type QueueOptions } from './queue-options.js';
import type { ScarceQueue } from '../passing/scarce-queue.js';
import type { Priority } from '../passing/priority.js';
import type { WatchablePool } from './watchers/watch-pool.js';

/** What an acquisition is for. */
export interface WaitOptions {
  /** The request of a gate whose handler acquires. @default the one whose handler runs */
  request?: object;
  /** @default that of the request; `'normal'` for work without a request */
  priority?: Priority;
  /** Leaves the queue. @default when the client of the request has left, or its deadline is over */
  signal?: AbortSignal;
}

/** The queue before something scarce. */
export interface QueueDelay extends ScarceQueue {
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
  watch<Pool extends WatchablePool>(pool: Pool): Pool;
}

/**
 * Measures the wait for something scarce, such as a connection to a database, and refuses acquisitions when it stands: sheddable
 * ones first, critical ones never.
 *
 * @param name of metrics, events and messages
 * @param clock that of a simulation. @default the event loop of this process
 * @throws ConfigError OPTION_INVALID
 * @example
 * const database = queueDelay('database');
 * const pool = database.watch(new Pool({ max: 10 }));
 * app.use(rateLimit({ limit: 100, window: '1m', shed: shedder({ queues: [database] }) }));
 */
export function queueDelay(name: string, options: QueueOptions = {}, clock: LoopClock = loopWatch()): QueueDelay {
  const settings = readOptions('queueDelay', { ...(Object(options) as object), name }, QUEUE_ROWS);
  return new AcquisitionQueue({ ...settings, name }, clock);
}
