import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { complaint, firstAnswer, RedisLog, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore, subscribe, type Duration } from '@sluice/nestjs';
import { platforms } from './app.js';

// PORT says where to listen; with REDIS_URL, all processes that are started with the same URL share every limit.
// REDIS_DEADLINE is how long a request waits for Redis, before this process decides on its own.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'];
const deadline = (process.env['REDIS_DEADLINE'] || '50ms') as Duration;
// PLATFORM is what Nest stands on: express or fastify.
const platform = process.env['PLATFORM'] || 'express';

try {
  await start();
} catch (error) {
  console.error(complaint(error, port));
  process.exitCode = 1;
}

async function start(): Promise<void> {
  if (platform !== 'express' && platform !== 'fastify') {
    throw new Error(`PLATFORM must be express or fastify, got ${platform}.`);
  }
  const store = url ? redisStore({ url }, { deadline }) : memoryStore();
  const app = await platforms[platform](store);
  const close = async () => {
    await app.close();
    await store.close();
  };
  const log = logOutages();
  try {
    await firstAnswer(store).catch((error: Error) => log.away(error));
    await app.listen(Number(port));
  } catch (error) {
    await close();
    throw error;
  }

  const server = app.getHttpServer() as Server;
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      // Answers what is under way. Connections in use are closed after that, and not when nobody has used them for long.
      server.keepAliveTimeout = 1;
      void close();
    });
  }

  const { port: listening } = server.address() as AddressInfo;
  console.log(welcome(listening, url));
}

/** Says when requests are decided without Redis, and when with it again. */
function logOutages(): RedisLog {
  const log = new RedisLog();
  subscribe('sluice:degraded', (event) => log.away(event));
  subscribe('sluice:store-call', ({ outcome }) => {
    if (outcome === 'answered') log.back();
  });
  return log;
}
