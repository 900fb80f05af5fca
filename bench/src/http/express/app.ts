import { once } from 'node:events';
import express, { type RequestHandler } from 'express';
import { ANSWER, type HttpServer } from '../http-contestant.js';

/** A server with one route behind these handlers. */
export async function serveExpress(...handlers: readonly RequestHandler[]): Promise<HttpServer> {
  const app = express();
  for (const handler of handlers) app.use(handler);
  app.get('/', (_request, response) => {
    response.json(ANSWER);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server };
}
