// tRPC 11: a procedure call costs one, alone or in a batch.
//
// - The middleware runs for each call, so a batch of fifty costs fifty. It runs before the input is parsed.
// - `byIp` reads the address from the request in the context. Behind a proxy, pass `{ ip, headers }` with the address that
//   your framework has found.
// - The client reads `error.data.retryAfter`, in seconds. The header has the same number, without
//   `httpBatchStreamLink`: it sends its headers before the calls run.
// - A call of a procedure that does not exist runs no middleware. Limit these by address in front of tRPC.

import { byIp, createLimiter, type HttpRequest } from '@sluice/http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';

export const limiter = createLimiter<HttpRequest>({ name: 'rpc', key: byIp(), limit: 5, window: '1m' });

class RateLimited extends TRPCError {
  constructor(readonly seconds: number) {
    super({ code: 'TOO_MANY_REQUESTS', message: `Retry in ${seconds} s.` });
  }
}

const t = initTRPC.context<{ request: HttpRequest }>().create({
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: { ...shape.data, retryAfter: error instanceof RateLimited ? error.seconds : undefined },
  }),
});

const limited = t.procedure.use(async ({ ctx, next }) => {
  const { allowed, retryAfter } = await limiter.consume(ctx.request);
  if (!allowed) throw new RateLimited(Math.ceil(retryAfter / 1_000));
  return next();
});

const router = t.router({
  hello: limited.query(() => 'hello'),
  save: limited.mutation(() => 'saved'),
});

export type Router = typeof router;

export const server = createHTTPServer({
  router,
  createContext: ({ req }) => ({ request: req }),
  responseMeta({ errors }) {
    const denied = errors.find((error) => error instanceof RateLimited);
    return denied ? { headers: { 'retry-after': String(denied.seconds) } } : {};
  },
});
