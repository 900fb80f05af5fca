import { hitlimit } from '@joint-ops/hitlimit/fastify';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveFastify } from './app.js';

/** The headers that others send too: by default it sends the same three under other names as well. */
const ALIKE = { standard: false, legacy: true };

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  return serveFastify((app) =>
    app.register(hitlimit, {
      limit,
      window,
      headers: ALIKE,
      ...(identity === 'header' && { key: ({ headers }) => String(headers[CLIENT_HEADER]) }),
    }),
  );
}
