import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { rateLimiter } from 'hono-rate-limiter';

const app = new Hono();
app.use('/address', rateLimiter({ limit: 1, keyGenerator: (c) => getConnInfo(c).remote.address ?? '' }));
app.use('/skip', rateLimiter({ limit: 1, keyGenerator: () => 'all', skip: (c) => c.req.query('skip') === 'yes' }));
app.use(
  '/limit',
  rateLimiter({
    limit: (c) => (c.req.query('plan') === 'pro' ? 2 : 1),
    keyGenerator: (c) => c.req.query('plan') ?? 'free',
  }),
);
app.use(
  '/json',
  rateLimiter({ limit: 1, message: { error: 'too-many' }, standardHeaders: false, keyGenerator: () => 'all' }),
);
app.use('/status', rateLimiter({ limit: 1, message: 'No more.', statusCode: 418, keyGenerator: () => 'all' }));
app.get('/:path', (c) => c.text('ok'));
serve({ fetch: app.fetch, port: 3000 });
