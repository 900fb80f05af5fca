import { processWide, warn } from '@sluice/core/internal';

/** A program has one store for each server, and few have more than three, with different deadlines. */
const MANY = 10;

/** Open clients that stores have made, by the servers that they were made for. */
const liveClients = processWide('live-clients', () => new Map<string, number>());

/**
 * Counts a client until its store is closed, and warns once where many are open for one server: a hot reload, or a
 * function that makes a store for each request, leaves the former ones connected.
 *
 * @param server text that is equal for clients of one server. No message contains it, because it may hold a password
 * @returns what to call once when the client ends
 */
export function countClient(server: string): () => void {
  const count = (liveClients.get(server) ?? 0) + 1;
  liveClients.set(server, count);
  if (count === MANY) {
    warn(
      'SLUICE_MANY_REDIS_STORES',
      `redisStore: ${MANY} stores of this process are connected to the same Redis, each with a connection of its own. Create the store once, outside of handlers, and close the former one in a hot reload: await store.close()`,
    );
  }
  return () => {
    const left = (liveClients.get(server) ?? 1) - 1;
    if (left > 0) liveClients.set(server, left);
    else liveClients.delete(server);
  };
}
