import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { ANSWER, type HttpServer } from '../http-contestant.js';

/** A server whose one route has what a function puts before it. */
export async function serveFastify(limit?: (app: FastifyInstance) => unknown): Promise<HttpServer> {
  const app = fastify();
  await limit?.(app);
  app.get('/', () => Promise.resolve(ANSWER));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port };
}
