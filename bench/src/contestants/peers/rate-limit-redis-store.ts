import type { Options } from 'express-rate-limit';
import type { Redis } from 'ioredis';
import { RedisStore, type RedisReply } from 'rate-limit-redis';

/** The store as its README sets it up for ioredis. */
export async function startStore(
  client: Redis,
  { prefix, window }: { prefix: string; window: number },
): Promise<RedisStore> {
  const store = new RedisStore({
    prefix,
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
  await store.init({ windowMs: window } as Options);
  return store;
}
