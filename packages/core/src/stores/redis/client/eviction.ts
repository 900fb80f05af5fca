import { warn } from '../../../events/warning.js';
import type { RedisClient } from './redis-client.js';
import { scripts } from '../lua/scripts.js';

/** Looks whether the server forgets keys to make room, and warns: a key that is forgotten is a limit that is not kept. */
export async function warnOfEviction(client: RedisClient): Promise<void> {
  try {
    const [most, policy] = (await client.eval(scripts.eviction.source, 0)) as [number?, string?];
    if (policy === undefined || policy === 'noeviction' || Number(most) === 0) return;
    warn(
      'SLUICE_REDIS_EVICTION',
      `redisStore: Redis forgets keys when its memory is full (maxmemory-policy ${policy}), and clients whose keys are forgotten have all of their limit again: set maxmemory-policy noeviction, on a Redis of its own`,
    );
  } catch {
    // A limiter works without the answer.
  }
}
