import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { serveFastify } from './app.js';
import { flexibleHook } from './flexible-hook.js';

export function listen({ limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  const limiter = new RateLimiterRedis({
    storeClient: connect(),
    points: limit,
    duration: window / 1000,
    inMemoryBlockOnConsumed: limit,
  });
  return serveFastify((app) => app.addHook('onRequest', flexibleHook(limiter, { limit, identity })));
}
