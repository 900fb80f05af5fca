import { byIp, createLimiter, type HttpRequest, type Limiter } from '@sluice/http';
import type { Redis } from 'ioredis';
import { newStoreOn } from '../../support/redis-store.js';
import { newName } from '../../support/identities.js';
import { until } from '../../support/until.js';

/** A limiter with one concurrency tier, and what Redis stores of it. */
export interface Permits {
  readonly limiter: Limiter<HttpRequest>;
  /** Resolves when requests hold so many units. */
  held(units: number): Promise<void>;
}

export function permitsOn(client: Redis): Permits {
  const prefix = newName();
  const limiter = createLimiter<HttpRequest>({
    store: newStoreOn(client),
    prefix,
    tiers: [{ name: 'running', key: byIp(), algorithm: 'concurrency', limit: 10 }],
  });
  const count = async () => {
    const keys = await client.keys(`${prefix}:*`);
    const counts = await Promise.all(keys.map((key) => client.zcard(key)));
    return counts.reduce((sum, each) => sum + each, 0);
  };
  return { limiter, held: (units) => until(async () => (await count()) === units) };
}
