import type { Room } from '../line.js';
import type { WatchingQueue } from './watching-queue.js';

/** What is used of the pool of knex. */
interface TarnPool {
  readonly max: number;
  numUsed(): number;
  numPendingAcquires(): number;
  numPendingCreates(): number;
  numPendingValidations(): number;
  on(event: 'release' | 'destroySuccess' | 'createFail', listener: () => void): unknown;
}

/** What is used of knex 3. */
interface Knex {
  readonly client: {
    readonly pool: TarnPool;
    acquireConnection(): Promise<unknown>;
  };
}

export function isKnex(knex: object): knex is Knex {
  const { client } = knex as Partial<Knex>;
  return typeof client?.acquireConnection === 'function' && typeof client.pool?.numPendingAcquires === 'function';
}

/** Queries and transactions acquire by the same method. */
export function watchKnex({ client }: Knex, queue: WatchingQueue): Room {
  const { pool } = client;
  const acquire = client.acquireConnection.bind(client);
  // What is released is free at the end of the turn.
  const letIn = () => queueMicrotask(() => queue.letIn());
  for (const event of ['release', 'destroySuccess', 'createFail'] as const) pool.on(event, letIn);
  client.acquireConnection = () =>
    new Promise((resolve, reject) => {
      queue.enter({ start: () => resolve(acquire()), fail: reject });
    });
  return { free: () => pool.max - pool.numUsed() - pool.numPendingAcquires() };
}
