import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';

const app = new Hono();
const keyGenerator = () => 'all';
app.use('/failed', rateLimiter({ limit: 2, skipFailedRequests: true, keyGenerator }));
app.use('/successful', rateLimiter({ limit: 2, skipSuccessfulRequests: true, keyGenerator }));
app.use(
  '/own',
  rateLimiter({ limit: 2, skipFailedRequests: true, requestWasSuccessful: (c) => c.res.status !== 404, keyGenerator }),
);
app.get('/:path', (c) => c.body(null, Number(c.req.query('status'))));
serve({ fetch: app.fetch, port: 3000 });
