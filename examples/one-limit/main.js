// An API on Express, and beside it the service for programs in other languages: they share one budget. In production the
// service is a process of its own, `npx @sluice/server limits.yaml`: docs/guide/one-limit.md.
import { fileURLToPath } from 'node:url';
import { rateLimit } from '@sluice/express';
import { openPolicies } from '@sluice/policies';
import { redisStore } from '@sluice/redis';
import { serve } from '@sluice/server';
import express from 'express';

const file = fileURLToPath(new URL('limits.yaml', import.meta.url));
const secret = process.env['SLUICE_SECRET'] ?? 'only-for-this-example';
const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const deadline = process.env['DEADLINE'] ?? '50ms';

// Each has a store of its own, as two processes have.
const store = redisStore({ url }, { deadline });
const policies = await openPolicies(file, { secret });
const app = express();
app.use(rateLimit({ limiter: policies.limiter('api', { store, secret }) }));
app.get('/', (_request, response) => void response.send('hello\n'));
const listener = app.listen(Number(process.env['PORT'] || '3000'), () => {
  const address = listener.address();
  console.log(`The API listens on http://localhost:${typeof address === 'object' && address ? address.port : ''}`);
});

const isAnyPort = process.env['PORT'] === '0';
const server = await serve({
  file,
  secret,
  store: redisStore({ url }, { deadline }),
  ...(isAnyPort && { listen: { http: 0, grpc: 0, operations: 0 } }),
});
const check = `'{ "limiter": "api", "request": { "ip": "127.0.0.1" } }'`;
console.log(`curl -i http://127.0.0.1:${server.ports.http}/check -H 'content-type: application/json' -d ${check}`);

process.once('SIGTERM', () => {
  listener.close();
  void server.close().then(() => process.exit(0));
});
