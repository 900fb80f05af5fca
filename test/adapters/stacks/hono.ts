import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { memoryStore } from '@sluice/core';
import { rateLimit, type RateLimitHandler, type RateLimitOptions } from '@sluice/hono';
import { Hono, type Handler, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { closeServer, listen } from '../../support/site.js';
import { served, type Definition, type Limit, type Route, type Stack } from '../stack.js';

/** Limits are middleware of the app and of its routes. */
export const hono: Stack = {
  name: 'Hono on node-server',
  countsUnknownPaths: true,
  async start({ store, behindProxy = true, socketPath, everywhere, routes }) {
    const app = new Hono();
    const errors: unknown[] = [];
    const limitOf = limiting(store, behindProxy);
    app.onError((error, c) => {
      errors.push(error);
      return c.text('Internal Server Error', 500);
    });
    if (everywhere) app.use(limitOf(everywhere));
    // Handlers read requests by it.
    const { subject } = limitOf({ name: 'none', limit: () => null, window: '1m', store: memoryStore() });
    for (const { method = 'GET', path, ...route } of routes) {
      app.on(method, [path], ...handlersOf(route, limitOf, subject));
    }

    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    return { address: await listen(server, socketPath), errors, close: () => closeServer(server) };
  },
};

type LimitOf = (limit: Limit) => RateLimitHandler;

function limiting(store: Definition['store'], behindProxy: boolean): LimitOf {
  const trustProxy = behindProxy ? { trustProxy: ['loopback'] } : {};
  return (limit) => rateLimit({ ...(limit.limiter ? limit : { store, ...limit }), ...trustProxy } as RateLimitOptions);
}

function handlersOf(
  { limits = [], claims, authenticated = [], handle = served }: Omit<Route, 'path'>,
  limitOf: LimitOf,
  subject: RateLimitHandler['subject'],
): (MiddlewareHandler | Handler)[] {
  // Where hono/jwt puts them.
  const verify: MiddlewareHandler = async (c, next) => {
    c.set('jwtPayload', claims?.(subject(c)));
    await next();
  };
  const answer: Handler = async (c) => {
    const { status, text } = await handle({ request: subject(c), decision: c.get('rateLimit') });
    return text === '' ? c.body(null, status as 204) : c.text(text, status as ContentfulStatusCode);
  };
  return [...limits.map(limitOf), ...(claims ? [verify] : []), ...authenticated.map(limitOf), answer];
}
