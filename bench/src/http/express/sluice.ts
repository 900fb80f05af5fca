import { byHeader, byIp, rateLimit, type Tier } from '@sluice/express';
import { redisStore } from '@sluice/express/redis';
import type { Request } from 'express';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { serveExpress } from './app.js';

export async function listen({ store, limit, window, url, identity }: HttpSetting): Promise<HttpServer> {
  const tier: Tier<Request> = {
    name: 'one',
    key: identity === 'header' ? byHeader(CLIENT_HEADER) : byIp(),
    algorithm: 'fixed-window',
    limit,
    window,
  };
  const skipped = countSkipped();
  const server = await serveExpress(
    rateLimit(store === 'redis' ? { store: redisStore({ url }), tiers: [tier] } : { tiers: [tier] }),
  );
  return { ...server, skipped };
}
