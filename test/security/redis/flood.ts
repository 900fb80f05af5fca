import type { Redis } from 'ioredis';
import { createLimiter, type PolicyOptions, type Store } from '../../../packages/core/src/index.js';

/** The memory that identities take in Redis. */
export interface Flood {
  readonly keys: number;
  /** All memory that Redis took, including its tables. */
  readonly bytes: number;
}

/** Identities that send requests together: a few batches. */
const AT_ONCE = 256;

/** Sends one request for each of so many identities, and measures their keys. */
export async function flood(store: Store, admin: Redis, policy: PolicyOptions, identities: number): Promise<Flood> {
  const limiter = createLimiter<string>({ store, tiers: [{ name: 'default', key: (subject) => subject, ...policy }] });
  // The server also stores scripts, and they do not count: that of one check, that of a batch, and that of a reset.
  const warmUp = Array.from({ length: AT_ONCE }, (_, index) => `warm-up ${index}`);
  await limiter.consume('warm-up 0');
  await Promise.all(warmUp.map((subject) => limiter.consume(subject)));
  await Promise.all(warmUp.map((subject) => limiter.reset(subject)));
  const before = await used(admin);
  const keys = await admin.dbsize();
  for (let first = 0; first < identities; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE, identities);
    await Promise.all(Array.from({ length: last - first }, (_, index) => limiter.consume(`identity ${first + index}`)));
  }
  return { keys: (await admin.dbsize()) - keys, bytes: (await used(admin)) - before };
}

async function used(admin: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await admin.info('memory'))![1]);
}
