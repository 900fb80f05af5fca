import { rateLimit, type HookOptions } from '@sluice/fastify';
import { fastify, type FastifyInstance } from 'fastify';
import { siteOpener, type Site } from './site.js';

/** Opens apps that deny whoever comes, and closes them after the test. Call it where tests are described. */
export function denier(): (options: Partial<HookOptions>, prepare?: (app: FastifyInstance) => void) => Promise<Site> {
  const open = siteOpener();
  return async (options, prepare) => {
    const app = fastify();
    prepare?.(app);
    await app.register(rateLimit, { name: 'hour', limit: 1, window: '1h', ...options } as HookOptions);
    app.get('/', () => 'served');
    const site = await open(app);
    await site.ask();
    return site;
  };
}
