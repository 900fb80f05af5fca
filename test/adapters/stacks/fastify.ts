import type { AddressInfo } from 'node:net';
import { rateLimit, type HookOptions, type RateLimitOptions } from '@sluice/fastify';
import { fastify as createApp, type FastifyInstance, type RouteOptions } from 'fastify';
import { served, type Limit, type Route, type Stack } from '../stack.js';

/** The first limit of a route is in its config, the others are hooks. The limit for everything is the plugin's. */
export const fastify: Stack = {
  name: 'Fastify 5',
  countsUnknownPaths: true,
  async start({ store, behindProxy = true, socketPath, everywhere, routes }) {
    const app = createApp({ trustProxy: behindProxy ? 'loopback' : false });
    const errors: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      errors.push(error);
      reply.send(error);
    });
    await app.register(
      rateLimit,
      (everywhere ? { store, ...everywhere } : { store, global: false }) as RateLimitOptions,
    );
    for (const route of routes) app.route(routeOf(route, app));
    await app.listen(socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath });
    const { port } = (socketPath === undefined ? app.server.address() : { port: 0 }) as AddressInfo;
    const address = socketPath === undefined ? { host: '127.0.0.1', port } : { socketPath };
    return { address, errors, close: () => app.close() };
  },
};

function routeOf({ method = 'GET', path, limits = [], ...route }: Route, app: FastifyInstance): RouteOptions {
  const { claims, authenticated = [], handle = served } = route;
  const hooks = (each: readonly Limit[]) => each.map((limit) => app.rateLimit(limit as HookOptions));
  const [first, ...others] = limits;
  return {
    method,
    url: path,
    ...(first && { config: { rateLimit: first } }),
    preValidation: [
      ...hooks(others),
      // Where @fastify/jwt puts them.
      async (request) => void Object.assign(request, { user: claims?.(request) }),
    ],
    preHandler: hooks(authenticated),
    async handler(request, reply) {
      const { status, text } = await handle({ request, decision: request.rateLimit });
      return reply.code(status).send(text);
    },
  };
}
