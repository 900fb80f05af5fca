import { once } from 'node:events';
import { memoryStore } from '@sluice/core';
import { redisStore } from '@sluice/redis';

/** @import { Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Store } from '@sluice/core' */

// Starts any number of examples in one process, which is faster than a process for each. It imports those that it starts.

/** @typedef {(store: Store) => Promise<Server>} Opener */

/** @type {ReadonlyMap<string, Opener>} */
const openers = new Map([
  ['express-api', openExpress],
  ['fastify-api', openFastify],
  ['nest-api', openNestOn('express')],
  ['nest-api on Fastify', openNestOn('fastify')],
]);

process.on('message', (/** @type {{ example: string, redisUrl?: string }} */ { example, redisUrl }) => {
  const opened = open(example, redisUrl).then(
    (port) => ({ port }),
    (error) => ({ error: String(error) }),
  );
  void opened.then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());

/**
 * @param {string} example
 * @param {string | undefined} redisUrl
 */
async function open(example, redisUrl) {
  const opener = openers.get(example);
  if (!opener) throw new Error('unknown example');
  const server = await opener(redisUrl ? redisStore({ url: redisUrl }, { deadline: '5s' }) : memoryStore());
  return /** @type {AddressInfo} */ (server.address()).port;
}

/** @type {Opener} */
async function openExpress(store) {
  const [{ createApp }, { createLimits }] = await Promise.all([
    import('../../examples/express-api/app.js'),
    import('../../examples/express-api/limits.js'),
  ]);
  const server = createApp(createLimits(store)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** @type {Opener} */
async function openFastify(store) {
  const { createApp } = await import('../../examples/fastify-api/app.js');
  const app = await createApp(store);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

/**
 * @param {'express' | 'fastify'} platform
 * @returns {Opener}
 */
function openNestOn(platform) {
  return async (store) => {
    const { platforms } = await import('../../examples/nest-api/dist/app.js');
    const app = await platforms[platform](store);
    await app.listen(0, '127.0.0.1');
    return app.getHttpServer();
  };
}
