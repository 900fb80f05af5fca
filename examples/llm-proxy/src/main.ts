import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { memoryStore } from '@sluice/express';
import { redisStore } from '@sluice/redis';
import type { Express } from 'express';
import { createProxy } from './proxy.js';
import { createUpstream } from './upstream.js';

// UPSTREAM is the URL of the API. Without it a local one answers in words.
// Processes with the same REDIS_URL share all limits.
const { PORT: port = '3000', UPSTREAM: given, REDIS_URL: url } = process.env;
const servers: Server[] = [];

const upstream = given ?? (await listen(createUpstream(20).app, '0'));
const store = url ? redisStore({ url }) : memoryStore();
const limits = { requestsPerMinute: 60, tokensPerMinute: 1_000, parallel: 4 };
const proxy = (await listen(createProxy({ upstream, store, limits }).app, port)).replace('127.0.0.1', 'localhost');

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);

console.log(`\
Listening on ${proxy}. Limits of a key: 60 requests and 1 000 tokens a minute, and 4 requests at a time.
  curl -iN ${proxy}/v1/chat/completions -H 'authorization: Bearer ada' -H 'content-type: application/json' \\
    -d '{"model":"fake","stream":true,"max_tokens":300,"messages":[{"role":"user","content":"Hi"}]}'
Stop it with Ctrl-C.`);

async function listen(app: Express, on: string): Promise<string> {
  const server = createServer(app).listen(Number(on), '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(): void {
  for (const server of servers) server.close(() => undefined).closeAllConnections();
  void store.close();
}
