import { rateLimit } from '@sluice/express';
import type { HttpServer, HttpSetting } from '../http-contestant.js';
import { countSkipped } from '../skipped.js';
import { oneTier } from '../sluice-tiers.js';
import { serveExpress } from './app.js';

export async function listen(setting: HttpSetting): Promise<HttpServer> {
  const tiers = oneTier(setting, 'fixed-window');
  const skipped = countSkipped();
  const redis = setting.store === 'redis' ? await import('@sluice/redis') : undefined;
  const server = await serveExpress(
    rateLimit(redis ? { store: redis.redisStore({ url: setting.url }), tiers } : { tiers }),
  );
  return { ...server, skipped };
}
