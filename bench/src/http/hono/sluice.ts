import { byHeader, byIp, rateLimit, redisStore, type HonoSubject, type Tier } from '@sluice/hono';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { serveHono } from './app.js';

export async function listen({ store, limit, window, url, identity }: HttpSetting): Promise<HttpServer> {
  const tier: Tier<HonoSubject> = {
    name: 'one',
    key: identity === 'header' ? byHeader(CLIENT_HEADER) : byIp(),
    algorithm: 'fixed-window',
    limit,
    window,
  };
  const skipped = countSkipped();
  const server = await serveHono(
    rateLimit(store === 'redis' ? { store: redisStore({ url }), tiers: [tier] } : { tiers: [tier] }),
  );
  return { ...server, skipped };
}
