import type { Room } from '../line.js';
import type { WatchingQueue } from './watching-queue.js';

type Callback = (error: unknown, client?: unknown, release?: unknown) => void;

/** What is used of a pool of pg 8. */
interface PgPool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
  connect(callback?: Callback): Promise<unknown> | undefined;
  on(event: 'release' | 'remove', listener: () => void): unknown;
}

export function isPgPool(pool: object): pool is PgPool {
  const { totalCount, waitingCount, connect, options } = pool as Partial<PgPool>;
  return (
    typeof totalCount === 'number' &&
    typeof waitingCount === 'number' &&
    typeof connect === 'function' &&
    typeof options?.max === 'number'
  );
}

/** Its `query` connects by the same method. */
export function watchPg(pool: PgPool, queue: WatchingQueue): Room {
  const connect: (callback: Callback) => unknown = pool.connect.bind(pool);
  // A client that is released is idle at the end of the turn.
  const letIn = () => queueMicrotask(() => queue.letIn());
  pool.on('release', letIn);
  pool.on('remove', letIn);
  const enter = (callback: Callback) =>
    queue.enter({
      start: () =>
        connect((error, ...client) => {
          callback(error, ...client);
          // A connection that could not be made leaves its room without an event.
          if (error) letIn();
        }),
      fail: (error) => callback(error),
    });
  pool.connect = (callback) => {
    if (callback !== undefined) {
      enter(callback);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      enter((error, client) => (error ? reject(error) : resolve(client)));
    });
  };
  return {
    free: () => pool.options.max - pool.totalCount + pool.idleCount - pool.waitingCount,
  };
}
