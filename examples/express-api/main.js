import { once } from 'node:events';
import { createServer } from 'node:http';
import { complaint, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore } from '@sluice/express';
import { createApp } from './app.js';
import { createLimits } from './limits.js';

// PORT says where to listen; with REDIS_URL, all processes that are started with the same URL share every limit.
const port = process.env['PORT'] || '3000';
const url = process.env['REDIS_URL'];

try {
  await start();
} catch (error) {
  console.error(complaint(error, port));
  process.exitCode = 1;
}

async function start() {
  const store = url ? redisStore({ url }) : memoryStore();
  const limits = createLimits(store);
  const server = createServer(createApp(limits));
  try {
    // A Redis that cannot be reached is better told now than at the first request.
    await limits.public.limiter.inspect({ ip: '127.0.0.1' });
    server.listen(Number(port));
    await once(server, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(server, store));

  const { port: listening } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(welcome(listening, url));
}

/**
 * Answers what is under way, and nothing more.
 *
 * @param {import('node:http').Server} server
 * @param {import('@sluice/express').Store} store
 */
function stop(server, store) {
  server.close(() => void store.close());
  server.closeIdleConnections();
  // Those in use are closed after their answer, and not as usual when nobody has used them for five seconds.
  server.keepAliveTimeout = 1;
}
