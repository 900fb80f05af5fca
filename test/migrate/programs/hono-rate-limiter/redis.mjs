import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { RedisStore, rateLimiter } from 'hono-rate-limiter';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const client = {
  scriptLoad: (script) => redis.script('LOAD', script),
  evalsha: (sha, keys, args) => redis.evalsha(sha, keys.length, ...keys, ...args),
  decr: (key) => redis.decr(key),
  del: (key) => redis.del(key),
};

const app = new Hono();
app.use(
  rateLimiter({
    limit: 2,
    keyGenerator: (c) => c.req.header('x-key') ?? 'none',
    store: new RedisStore({ client, prefix: 'hrl:api:' }),
    async handler(c, _next, options) {
      const message = typeof options.message === 'function' ? await options.message(c) : options.message;
      return c.json({ message }, options.statusCode);
    },
    message: 'later',
  }),
);
app.get('/', (c) => c.text('ok'));
serve({ fetch: app.fetch, port: 3000 });
