import { Cluster, Redis } from 'ioredis';
import type { RedisOptions } from '../../packages/core/src/index.js';

/** A caller's client of a Sentinel group or of a Cluster, with the settings that ioredis has. */
export function carelessGroupClient({ sentinels, name, cluster }: RedisOptions): Redis | Cluster {
  const client = cluster ? new Cluster([...cluster]) : new Redis({ sentinels: [...sentinels!], name: name! });
  // They print what nobody listens to.
  return client.on('error', () => undefined);
}
