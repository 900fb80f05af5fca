import { once } from 'node:events';
import { createServer } from 'node:http';
import { createLimiter, memoryStore, redisStore } from '@sluice/core';

// A server whose every answer is a decision. PORT says where it listens; with REDIS_URL, all processes that are started
// with the same URL enforce one limit between them.
const port = process.env['PORT'] ?? '3000';
const url = process.env['REDIS_URL'];

try {
  await start();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function start() {
  const store = url ? redisStore({ url }) : memoryStore();
  const limiter = createLimiter({
    store,
    tiers: [
      { name: 'minute', key: addressOf, limit: 20, window: '1m' },
      { name: 'burst', key: addressOf, algorithm: 'token-bucket', limit: 5, window: '10s' },
    ],
  });

  const server = createServer((request, response) => void answer(limiter, request, response));
  try {
    // A Redis that cannot be reached is better told now than at the first request.
    await limiter.peek(/** @type {import('node:http').IncomingMessage} */ ({ socket: { remoteAddress: 'start' } }));
    server.listen(Number(port));
    await once(server, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }

  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => server.close(() => void store.close()));
  }
  const address = server.address();
  greet(typeof address === 'object' && address ? address.port : Number(port));
}

/**
 * @param {import('@sluice/core').Limiter<import('node:http').IncomingMessage>} limiter
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(limiter, request, response) {
  response.setHeader('content-type', 'application/json');
  try {
    const decision = await limiter.consume(request);
    response.statusCode = decision.allowed ? 200 : 429;
    if (!decision.allowed) response.setHeader('retry-after', Math.ceil(decision.retryAfter / 1000));
    response.end(`${JSON.stringify(decision, undefined, 2)}\n`);
  } catch (error) {
    // The store could not answer. This is no denial, and the client should see the difference.
    console.error(explain(error));
    response.statusCode = 503;
    response.end('{ "error": "the limiter cannot answer" }\n');
  }
}

/**
 * The address of the peer. Behind a proxy that is the proxy, and the client's is in a header that only a proxy that you
 * trust may set.
 *
 * @param {import('node:http').IncomingMessage} request
 */
function addressOf(request) {
  return request.socket.remoteAddress ?? 'gone';
}

/** @param {number} listening */
function greet(listening) {
  const place = `localhost:${listening}`;
  console.log(`Listening on http://${place}, counting in ${url ? 'Redis' : 'memory'}: 20 a minute, 5 at once.`);
  console.log('One decision:');
  console.log(`  curl -i ${place}`);
  console.log('Seven at once, of which the last are denied:');
  console.log(`  for i in 1 2 3 4 5 6 7; do curl -s -o /dev/null -w '%{http_code} ' ${place}; done; echo`);
}

/** @param {unknown} error */
function explain(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'EADDRINUSE') return `Port ${port} is taken: set PORT to a free one, as in PORT=3001 npm start.`;
  if (code === 'ERR_SOCKET_BAD_PORT') return `PORT must be a number from 0 to 65535, got ${port}.`;
  if (code === 'OPTION_INVALID') return `REDIS_URL cannot be used: ${message}.`;
  if (code === 'STORE_UNAVAILABLE') return `No Redis answers at REDIS_URL (${message}).`;
  return message;
}
