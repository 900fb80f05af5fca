import fastify, { type FastifyInstance } from 'fastify';
import { ANSWER, type HttpServer } from '../http-contestant.js';

/** A server with one route behind the plugins that a function registers. */
export async function serveFastify(limit?: (app: FastifyInstance) => unknown): Promise<HttpServer> {
  const app = fastify();
  await limit?.(app);
  app.get('/', () => Promise.resolve(ANSWER));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { server: app.server };
}
