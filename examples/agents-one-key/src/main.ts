import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import { redisStore } from '@sluice/redis';
import { createApi } from './api.js';

const { PORT: port = '3000', REDIS_URL: redis } = process.env;
const store = redis === undefined ? memoryStore() : redisStore({ url: redis });

const server = createServer(createApi({ store })).listen(Number(port));
await once(server, 'listening');
const url = `http://localhost:${(server.address() as AddressInfo).port}`;
console.log(`\
Listening on ${url}. The 40 agents of a team share 60 requests a minute. Let all of them come:
  npm run agents -- ${url}
Ask as one of them:
  curl -i -X POST ${url}/tasks -H 'authorization: Bearer demo-token-0'
Stop it with Ctrl-C.`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close(() => void store.close()).closeIdleConnections();
  });
}
