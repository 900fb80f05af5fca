import { hitlimit } from '@joint-ops/hitlimit';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveExpress } from './app.js';

/** The headers that others send too: by default it sends the same three under other names as well. */
const ALIKE = { standard: false, legacy: true };

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  return serveExpress(
    hitlimit({
      limit,
      window,
      headers: ALIKE,
      ...(identity === 'header' && { key: (request) => request.get(CLIENT_HEADER)! }),
    }),
  );
}
