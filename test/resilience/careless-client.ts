import { Redis } from 'ioredis';
import type { RedisOptions } from '../../packages/core/src/index.js';

/** A caller's ioredis client as it is made without a thought: it waits in queues, and sends again. */
export function carelessClient({ url }: RedisOptions): Redis {
  // It prints what nobody listens to.
  return new Redis(url!).on('error', () => undefined);
}
