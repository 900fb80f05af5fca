import { byHeader, rateLimit, redisStore, type Tier } from '@sluice/express';
import type { Request } from 'express';
import { ADVISED } from '../../contestants/sluice/advised.js';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { serveExpress } from './app.js';

export async function listen({ store, limit, window, connect }: HttpSetting): Promise<HttpServer> {
  const tier: Tier<Request> = { name: 'one', key: byHeader(CLIENT_HEADER), algorithm: 'fixed-window', limit, window };
  const skipped = countSkipped();
  const server = await serveExpress(
    rateLimit(store === 'redis' ? { store: redisStore(connect(ADVISED)), tiers: [tier] } : { tiers: [tier] }),
  );
  return { ...server, skipped };
}
