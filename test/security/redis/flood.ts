import type { Redis } from 'ioredis';
import { createLimiter, type PolicyOptions, type Store } from '../../../packages/core/src/index.js';

/** What identities take on a Redis. */
export interface Flood {
  readonly keys: number;
  /** That Redis has taken for all of it, its tables included. */
  readonly bytes: number;
}

/** Identities that ask at a time: as many as go into a few calls. */
const AT_ONCE = 256;

/** Has so many identities ask once each, and tells what is kept of them. */
export async function flood(store: Store, admin: Redis, policy: PolicyOptions, identities: number): Promise<Flood> {
  const limiter = createLimiter<string>({ store, tiers: [{ name: 'default', key: (subject) => subject, ...policy }] });
  // The script is kept as well, and is none of theirs.
  await limiter.consume('first');
  await limiter.reset('first');
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
