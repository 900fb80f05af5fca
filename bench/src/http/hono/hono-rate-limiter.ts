import { getConnInfo } from '@hono/node-server/conninfo';
import { rateLimiter } from 'hono-rate-limiter';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveHono } from './app.js';

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  return serveHono(
    rateLimiter({
      windowMs: window,
      limit,
      keyGenerator: (c) => (identity === 'header' ? c.req.header(CLIENT_HEADER)! : getConnInfo(c).remote.address!),
    }),
  );
}
