import { getConnInfo } from '@hono/node-server/conninfo';
import { rateLimiter, RedisStore, type RedisClient } from 'hono-rate-limiter';
import type { Redis } from 'ioredis';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveHono } from './app.js';

export function listen({ store, limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  return serveHono(
    rateLimiter({
      windowMs: window,
      limit,
      keyGenerator: (c) => (identity === 'header' ? c.req.header(CLIENT_HEADER)! : getConnInfo(c).remote.address!),
      ...(store === 'redis' && { store: new RedisStore({ client: clientOf(connect()) }) }),
    }),
  );
}

/** It wants the methods of Upstash's client. */
function clientOf(redis: Redis): RedisClient {
  return {
    scriptLoad: async (script) => String(await redis.script('LOAD', script)),
    evalsha: async (sha: string, keys: string[], args: unknown[]) =>
      (await redis.evalsha(sha, keys.length, ...keys, ...args.map(String))) as never,
    decr: (key) => redis.decr(key),
    del: (key) => redis.del(key),
  };
}
