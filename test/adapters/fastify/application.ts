import { rateLimit, type RateLimitOptions, type RouteRateLimit } from '@sluice/fastify';
import { fastify, type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { siteOpener, type Site } from '../../support/site.js';

export interface Application {
  /** The options of the plugin. Without them, it is not registered. */
  readonly options?: object;
  readonly server?: FastifyServerOptions;
  /** Runs before the plugin is registered. */
  readonly before?: (app: FastifyInstance) => unknown;
  /** Runs after the plugin was registered. */
  readonly after?: (app: FastifyInstance) => unknown;
}

/** A handler. */
export const served = () => 'served';

/** A request of this machine, for calls of a limiter. */
export const local = { ip: '127.0.0.1' } as FastifyRequest;

/** The options of one tier of an hour. */
export const hourly = (limit: number, more: object = {}) => ({ limit, window: '1h', ...more }) as const;

/** The options of a route with a limit of its own. */
export const limited = (limit: number, more: object = {}) => ({
  config: { rateLimit: hourly(limit, more) as RouteRateLimit },
});

/** Builds an application, which does not listen yet. */
export async function build({ options, server, before, after }: Application): Promise<FastifyInstance> {
  const app = fastify(server);
  await before?.(app);
  if (options) await app.register(rateLimit, options as RateLimitOptions);
  await after?.(app);
  return app;
}

/** Opens applications and closes them after each test. Call it inside `describe`. */
export function opener(): (application: Application) => Promise<Site> {
  const open = siteOpener();
  return async (application) => open(await build(application));
}
