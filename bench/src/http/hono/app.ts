import { once } from 'node:events';
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { ANSWER, type HttpServer } from '../http-contestant.js';

/** A server with one route behind these handlers. */
export async function serveHono(...handlers: readonly MiddlewareHandler[]): Promise<HttpServer> {
  const app = new Hono();
  for (const handler of handlers) app.use(handler);
  app.get('/', (c) => c.json(ANSWER));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  return { server };
}
