import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';

const app = new Hono();
app.use(rateLimiter({ limit: 1, keyGenerator: () => 'all' }));
app.get('/', (c) => c.json(c.get('rateLimit')));
serve({ fetch: app.fetch, port: 3000 });
