import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';
import { HTTPException } from 'hono/http-exception';

export const rateLimit = rateLimiter({
  limit: 1,
  keyGenerator: (c) => c.req.header('x-key') ?? 'none',
  handler: () => {
    throw new HTTPException(429, { message: 'later' });
  },
});

const app = new Hono();
app.use(rateLimit);
app.get('/', (c) => c.text('ok'));
app.onError((error, c) => c.json({ failed: error.message }, 429));
serve({ fetch: app.fetch, port: 3000 });
