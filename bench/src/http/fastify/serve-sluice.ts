import { rateLimit, type Tier } from '@sluice/fastify';
import type { FastifyRequest } from 'fastify';
import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { serveFastify } from './app.js';

/** A server with limits of Sluice. */
export async function serveSluice(
  { store, url }: HttpSetting,
  tiers: readonly Tier<FastifyRequest>[],
): Promise<HttpServer> {
  const skipped = countSkipped();
  const redis = store === 'redis' ? await import('@sluice/redis') : undefined;
  const server = await serveFastify((app) =>
    app.register(rateLimit, redis ? { store: redis.redisStore({ url }), tiers } : { tiers }),
  );
  return { ...server, skipped };
}
