import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from '../../../packages/redis/src/index.js';

/** A caller's client with the default settings of ioredis: it queues commands, and sends them again. */
export function defaultClient({ url, sentinels, name, cluster }: RedisOptions): Redis | Cluster {
  // Without a listener ioredis prints errors.
  const quiet = <T extends Redis | Cluster>(client: T) => client.on('error', () => undefined) as T;
  if (cluster) return quiet(new Cluster([...cluster]));
  return quiet(url === undefined ? new Redis({ sentinels: [...sentinels!], name: name! }) : new Redis(url));
}
