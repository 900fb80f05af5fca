import { byHeader, byIp, rateLimit, type Tier } from '@sluice/fastify';
import { redisStore } from '@sluice/fastify/redis';
import type { FastifyRequest } from 'fastify';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { serveFastify } from './app.js';

export async function listen({ store, limit, window, url, identity }: HttpSetting): Promise<HttpServer> {
  const tier: Tier<FastifyRequest> = {
    name: 'one',
    key: identity === 'header' ? byHeader(CLIENT_HEADER) : byIp(),
    algorithm: 'fixed-window',
    limit,
    window,
  };
  const skipped = countSkipped();
  const server = await serveFastify((app) =>
    app.register(rateLimit, store === 'redis' ? { store: redisStore({ url }), tiers: [tier] } : { tiers: [tier] }),
  );
  return { ...server, skipped };
}
