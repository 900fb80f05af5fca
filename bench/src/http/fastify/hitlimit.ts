import { hitlimit } from '@joint-ops/hitlimit/fastify';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveFastify } from './app.js';

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  return serveFastify((app) =>
    app.register(hitlimit, {
      limit,
      window,
      ...(identity === 'header' && { key: ({ headers }) => String(headers[CLIENT_HEADER]) }),
    }),
  );
}
