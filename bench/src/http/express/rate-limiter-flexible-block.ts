import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { serveExpress } from './app.js';
import { flexibleHandler } from './flexible-handler.js';

export function listen({ limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  const limiter = new RateLimiterRedis({
    storeClient: connect(),
    points: limit,
    duration: window / 1000,
    inMemoryBlockOnConsumed: limit,
  });
  return serveExpress(flexibleHandler(limiter, { limit, identity }));
}
