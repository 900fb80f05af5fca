import type { Room } from '../line.js';
import type { WatchingQueue } from './watching-queue.js';

type Callback = (error: unknown, connection?: unknown) => void;

/** A list of mysql2. */
interface Connections {
  readonly length: number;
}

/** What is used of a pool of mysql2 3, which counts its connections in members of no public name. */
interface MysqlPool {
  readonly config: { readonly connectionLimit: number };
  readonly _allConnections: Connections;
  readonly _freeConnections: Connections;
  readonly _connectionQueue: Connections;
  getConnection(callback: Callback): void;
  on(event: 'release', listener: () => void): unknown;
}

/** That of `mysql2/promise` has the other one in it. */
type AnyMysqlPool = MysqlPool | { readonly pool: MysqlPool };

const poolOf = (pool: AnyMysqlPool): MysqlPool => ('pool' in pool ? pool.pool : pool);

export function isMysqlPool(pool: object): pool is AnyMysqlPool {
  const {
    getConnection,
    config,
    _allConnections: all,
    _freeConnections: free,
    _connectionQueue: queue,
  } = Object(poolOf(pool as AnyMysqlPool)) as Partial<MysqlPool>;
  return (
    typeof getConnection === 'function' &&
    typeof config?.connectionLimit === 'number' &&
    [all, free, queue].every((list) => typeof list?.length === 'number')
  );
}

/** Its `query` and `execute` get their connections by the same method. */
export function watchMysql(anyPool: AnyMysqlPool, queue: WatchingQueue): Room {
  const pool = poolOf(anyPool);
  const getConnection = pool.getConnection.bind(pool);
  const letIn = () => queue.letIn();
  pool.on('release', letIn);
  pool.getConnection = (callback) =>
    queue.enter({
      start: () =>
        getConnection((error, connection) => {
          callback(error, connection);
          if (error) letIn();
        }),
      fail: (error) => callback(error),
    });
  // The limit 0 is none.
  const max = pool.config.connectionLimit || Infinity;
  // mysql2 counts them nowhere else.
  // oxlint-disable-next-line no-underscore-dangle
  const free = () => max - pool._allConnections.length + pool._freeConnections.length - pool._connectionQueue.length;
  return { free };
}
