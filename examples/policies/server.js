import { rateLimit } from '@sluice/express';
import { redisStore } from '@sluice/redis';
import { openPolicies, redisPolicies } from '@sluice/policies';
import express from 'express';
import { fileURLToPath } from 'node:url';

/** @typedef {import('express').Request} Request */
/** @typedef {import('@sluice/express').Duration} Duration */

// REDIS_DEADLINE is how long a request waits for Redis before this process decides alone.
const { REDIS_URL = 'redis://127.0.0.1:6379', REDIS_DEADLINE = '50ms' } = process.env;
const [listenOn = '3000', url = REDIS_URL] = process.argv.slice(2);
const store = redisStore({ url }, { deadline: /** @type {Duration} */ (REDIS_DEADLINE) });

/** Stands for the tenant of a verified token: what a client sends alone is no identity. */
const tenant = (/** @type {Request} */ request) => request.get('x-tenant') ?? 'none';

const policies = await openPolicies(fileURLToPath(new URL('limits.yaml', import.meta.url)), {
  keys: { tenant },
  fleet: redisPolicies(store),
});

const app = express();
app.use(rateLimit({ limiter: policies.limiter('api', { store }) }));
app.get('/', (_request, response) => response.json({ process: process.pid, version: policies.status().version ?? 0 }));

const server = app.listen(Number(listenOn), () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`listening on port ${port}`);
  process.send?.(port);
});
process.on('disconnect', () => {
  policies.close();
  server.close(() => void store.close());
});
