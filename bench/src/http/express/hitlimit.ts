import { hitlimit } from '@joint-ops/hitlimit';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveExpress } from './app.js';

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  return serveExpress(
    hitlimit({
      limit,
      window,
      ...(identity === 'header' && { key: (request) => request.get(CLIENT_HEADER)! }),
    }),
  );
}
