// Next.js 16: route handlers with a limit. `export const GET = limited(...)` in app/api/items/route.ts.
//
// - Next runs several copies of a module, so the store is on `globalThis`.
// - `next build` loads the module, and opens no connection.
// - A handler does not see the peer. ADDRESS_HEADER names the header that your proxy overwrites with the client: `x-real-ip`
//   on Vercel. A client can write any header: without a proxy set none, and all clients share one budget.
// - The edge runtime lacks modules of Node: keep the default, `nodejs`.
// - A server action is a POST to its page, and no route handler: call `gate.limiter.consume` in it.

import { createWebGate, type Duration } from '@sluice/http';
import { redisStore } from '@sluice/redis';

type Handler<C> = (request: Request, context: C) => Promise<Response> | Response;

const { ADDRESS_HEADER: header } = process.env;
const { REDIS_URL: url = 'redis://127.0.0.1:6379', REDIS_DEADLINE: deadline = '200ms' } = process.env;
const shared = globalThis as { limits?: ReturnType<typeof redisStore> };
export const store = (shared.limits ??= redisStore({ url }, { deadline: deadline as Duration }));
const gate = createWebGate({ store, name: 'items', limit: 5, window: '1m' });

/** Limits a route handler. */
export function limited<C>(handle: Handler<C>): (request: Request, context: C) => Promise<Response> {
  return (request, context) => {
    // Next runs a handler that reads no header while it builds.
    const { headers } = request;
    const ip = header ? (headers.get(header) ?? undefined) : undefined;
    return gate.run(request, { ip }, () => handle(request, context));
  };
}

export const GET = limited(() => Response.json({ items: [] }));
