import { complaint, welcome } from '@sluice/example-shared';
import { memoryStore, redisStore } from '@sluice/fastify';
import { createApp } from './app.js';

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
  const app = await createApp(store);
  app.addHook('onClose', () => store.close());
  try {
    // A Redis that cannot be reached is better told now than at the first request.
    await store.inspect('start');
    await app.listen({ port: Number(port) });
  } catch (error) {
    await app.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop(app));

  const { port: listening } = /** @type {import('node:net').AddressInfo} */ (app.server.address());
  console.log(welcome(listening, url));
}

/**
 * Answers what is under way, and nothing more.
 *
 * @param {import('fastify').FastifyInstance} app
 */
async function stop(app) {
  // Those in use are closed after their answer, and not as usual when nobody has used them for over a minute.
  app.server.keepAliveTimeout = 1;
  await app.close();
}
