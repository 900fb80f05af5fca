import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { serveFastify } from './app.js';
import { flexibleHook } from './flexible-hook.js';

export function listen({ store, limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  const options = { points: limit, duration: window / 1000 };
  const limiter =
    store === 'redis' ? new RateLimiterRedis({ ...options, storeClient: connect() }) : new RateLimiterMemory(options);
  return serveFastify((app) => app.addHook('onRequest', flexibleHook(limiter, { limit, identity })));
}
