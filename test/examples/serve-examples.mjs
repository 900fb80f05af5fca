import { once } from 'node:events';
import { memoryStore } from '@sluice/core';
import { redisStore } from '@sluice/core/redis';
import { createApp as createExpressApp } from '../../examples/express-api/app.js';
import { createLimits } from '../../examples/express-api/limits.js';
import { createApp as createFastifyApp } from '../../examples/fastify-api/app.js';
import { platforms } from '../../examples/nest-api/dist/app.js';

/** @import { Server } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { Store } from '@sluice/core' */

// Starts any number of examples in one process, which is faster than a process for each.

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
  const server = createExpressApp(createLimits(store)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** @type {Opener} */
async function openFastify(store) {
  const app = await createFastifyApp(store);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

/**
 * @param {keyof typeof platforms} platform
 * @returns {Opener}
 */
function openNestOn(platform) {
  return async (store) => {
    const app = await platforms[platform](store);
    await app.listen(0, '127.0.0.1');
    return app.getHttpServer();
  };
}
