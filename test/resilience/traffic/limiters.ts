import { Redis } from 'ioredis';
import { createLimiter, type OnStoreFailure, type Store } from '../../../packages/core/src/index.js';
import type { Limited, Subject } from './traffic.js';

/** The start of tier names, by which tests find their keys. */
export const TIER = 'faults-';

const MODES: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];

/**
 * A limiter on a store for each `onStoreFailure`. No client reaches their limit, and counters last for the whole run.
 */
export function limitersOn(store: Store, identityOf = (id: string) => id): Limited[] {
  return MODES.map((onStoreFailure) => ({
    onStoreFailure,
    limiter: createLimiter<Subject>({
      store,
      name: `${TIER}${onStoreFailure}`,
      algorithm: 'fixed-window',
      limit: 1_000_000,
      window: '1h',
      key: ({ id }) => identityOf(id),
      onStoreFailure,
    }),
  }));
}

/** The requests that servers have counted, read without the store. */
export async function hitsOn(ports: readonly number[]): Promise<number> {
  const hits = await Promise.all(ports.map(hitsAt));
  return hits.reduce((sum, each) => sum + each, 0);
}

async function hitsAt(port: number): Promise<number> {
  const client = new Redis(port);
  const keys = await client.keys(`rl:*:${TIER}*`);
  const counters = await Promise.all(keys.map((key) => client.get(key).catch(() => null)));
  client.disconnect();
  return counters.reduce((sum, each) => sum + unitsIn(each), 0);
}

/** The units that a server has counted for a key. A replica of a Cluster answers as well. */
export async function unitsAt({ port }: { readonly port: number }, key: string): Promise<number> {
  const client = new Redis(port);
  // Only a Cluster has this command.
  await client.readonly().catch(() => undefined);
  const value = await client.get(key);
  client.disconnect();
  return unitsIn(value);
}

/** The units of a fixed window; the upper bits of its value are its end. */
function unitsIn(value: string | null): number {
  return Number(value) % 2 ** 32;
}
