import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { complaint, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore } from '@sluice/nestjs';
import { platforms } from './app.js';

// PORT says where to listen; with REDIS_URL, all processes that are started with the same URL share every limit.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'];
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
  const store = url ? redisStore({ url }) : memoryStore();
  const app = await platforms[platform](store);
  const close = async () => {
    await app.close();
    await store.close();
  };
  try {
    // A Redis that cannot be reached is better told now than at the first request.
    await store.inspect('start');
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
