import { byHeader, byIp, rateLimit } from '@sluice/hono';
import { CLIENT_HEADER, type HttpServer, type HttpSetting } from '../http-contestant.js';
import { serveHono } from './app.js';

export function listen({ limit, window, identity }: HttpSetting): Promise<HttpServer> {
  const key = identity === 'header' ? byHeader(CLIENT_HEADER) : byIp();
  return serveHono(rateLimit({ tiers: [{ name: 'one', key, algorithm: 'fixed-window', limit, window }] }));
}
