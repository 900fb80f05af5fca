// Next.js 16: route handlers with a limit. `export const GET = limited(...)` in app/api/items/route.ts.
//
// - Next runs several copies of a module, so the store is on `globalThis`.
// - `next build` loads the module: REDIS_URL must be set there too.
// - Behind Vercel `x-real-ip` is the client, because Vercel overwrites it. Elsewhere read the header that your own proxy
//   overwrites. Without a proxy a client writes it: use no header then.
// - The edge runtime lacks modules of Node: `export const runtime = 'nodejs'` beside the handler.
// - A server action is a POST to its page, and no route handler: call `gate.limiter.consume` in it.

import { createWebGate, type Duration } from '@sluice/core';
import { redisStore } from '@sluice/core/redis';

type Handler<C> = (request: Request, context: C) => Promise<Response> | Response;

const { REDIS_URL: url = 'redis://127.0.0.1:6379', REDIS_DEADLINE: deadline = '200ms' } = process.env;
const shared = globalThis as { limits?: ReturnType<typeof redisStore> };
export const store = (shared.limits ??= redisStore({ url }, { deadline: deadline as Duration }));
const gate = createWebGate({ store, name: 'items', limit: 5, window: '1m' });

/** Limits a route handler. */
export function limited<C>(handle: Handler<C>): (request: Request, context: C) => Promise<Response> {
  return (request, context) => {
    const ip = request.headers.get('x-real-ip') ?? undefined;
    return gate.run(request, { ip }, () => handle(request, context));
  };
}

export const runtime = 'nodejs';
export const GET = limited(() => Response.json({ items: [] }));
