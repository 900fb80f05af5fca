const { serve } = require('@hono/node-server');
const { Hono } = require('hono');
const { rateLimiter } = require('hono-rate-limiter');

const app = new Hono();
app.use(
  rateLimiter({
    windowMs: 1000 * 60,
    limit: 1,
    standardHeaders: 'draft-7',
    keyGenerator: (c) => 'all',
    handler: (c, next, options) => c.json({ error: options.message }, 429),
  }),
);
app.get('/', (c) => c.text('ok'));
serve({ fetch: app.fetch, port: 3000 });
