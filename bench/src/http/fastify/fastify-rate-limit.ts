import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { CLIENT_HEADER, clients, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveFastify } from './app.js';

// Its types give Fastify a method of the name that ours has. It is imported as ours is, because the start is measured.
const name: string = '@fastify/rate-limit';
const { default: rateLimit } = (await import(name)) as { default: FastifyPluginAsync<Record<string, unknown>> };

export function listen({ store, limit, window, connect, identity }: HttpSetting): Promise<HttpServer> {
  return serveFastify((app) =>
    app.register(rateLimit, {
      max: limit,
      timeWindow: window,
      ...(identity === 'header' && {
        keyGenerator: (request: FastifyRequest) => String(request.headers[CLIENT_HEADER]),
      }),
      ...(store === 'redis' ? { redis: connect() } : { cache: clients.length * 2 }),
    }),
  );
}
