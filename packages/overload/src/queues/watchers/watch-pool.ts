// watchers/ puts a queue before the pools of other packages, of which it knows some members. A pool and its queue enter,
// and the room of the pool leaves. It imports no other room.
import { ConfigError } from '@sluice/core/internal';
import type { Room } from '../line.js';
import { isKnex, watchKnex } from './knex-pool.js';
import { isMysqlPool, watchMysql } from './mysql-pool.js';
import { isPgPool, watchPg } from './pg-pool.js';
import type { WatchingQueue } from './watching-queue.js';
import { isUndici, watchUndici } from './undici-pool.js';

/** Puts a queue before a pool. */
export type Watcher = (pool: never, queue: WatchingQueue) => Room;

const WATCHERS: readonly (readonly [is: (pool: object) => boolean, watch: Watcher])[] = [
  [isPgPool, watchPg],
  [isMysqlPool, watchMysql],
  [isKnex, watchKnex],
  [isUndici, watchUndici],
];

const watched = new WeakSet<object>();

/** @throws ConfigError OPTION_INVALID for no pool that is known, or one that is watched already */
export function watchPool(pool: unknown, queue: WatchingQueue): Room {
  const fail = (rule: string) =>
    new ConfigError('OPTION_INVALID', 'watch', undefined, `queueDelay(${JSON.stringify(queue.name)}): watch ${rule}`);
  const found = Object(pool) as object;
  const [, watch] = WATCHERS.find(([is]) => is(found)) ?? [];
  if (watch === undefined) {
    throw fail(
      'takes a Pool of pg, a pool of mysql2, what knex() returns, or an Agent, Pool or Client of undici: for anything else write queue.wait(() => pool.acquire())',
    );
  }
  if (watched.has(found)) throw fail('was given a pool that another queue watches: make one queue for each pool');
  watched.add(found);
  return watch(found as never, queue);
}
