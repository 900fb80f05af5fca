import { setTimeout as delay } from 'node:timers/promises';
import { greeting } from '@sluice/example-shared';
import { rateLimit } from '@sluice/fastify';
import fastify from 'fastify';
import { keyHolder, requireKey } from './api-key.js';
import {
  itemsLimit,
  loginAccountLimit,
  loginAddressLimit,
  meLimit,
  publicLimit,
  reportLimit,
  searchLimit,
} from './limits.js';
import { login } from './login.js';
import { useTokens, verifyToken } from './token.js';

/** @import { Store } from '@sluice/fastify' */
/** @import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify' */
/** @import { Claims } from './token.js' */

/**
 * @param {Store} store where requests are counted
 * @returns {Promise<FastifyInstance>}
 */
export async function createApp(store) {
  // Behind a proxy all clients share its address, and one limit. Name the proxies to trust:
  // trustProxy: 'loopback', or the address of the proxy. Never `true`, which trusts every client.
  const app = fastify();
  app.setErrorHandler(answerError);
  await useTokens(app);
  // The plugin has no limit of its own. Routes have limits, and inherit the store and the headers.
  // Most clients read X-RateLimit-*. RateLimit and RateLimit-Policy are the coming standard, with all tiers.
  await app.register(rateLimit, { store, headers: ['x-ratelimit', 'draft-11'], global: false });

  app.get('/', (request, reply) => {
    reply.type('text/plain; charset=utf-8').send(greeting(`localhost:${request.socket.localPort}`));
  });

  app.get('/health', () => ({ healthy: true }));

  app.get('/public', { config: { rateLimit: publicLimit } }, () => ({ news: 'Everybody may read this.' }));

  app.get('/search', { config: { rateLimit: searchLimit } }, (request) => {
    const { q = '' } = /** @type {{ q?: unknown }} */ (request.query);
    return { query: q, found: [] };
  });

  // Two limits. The second needs the body to know the account, and runs before the password is checked.
  app.post(
    '/login',
    { bodyLimit: 1024, onRequest: app.rateLimit(loginAddressLimit), preHandler: app.rateLimit(loginAccountLimit) },
    login,
  );

  app.get('/me', { onRequest: verifyToken, config: { rateLimit: meLimit } }, (request) => {
    const { sub, plan } = /** @type {Claims} */ (request.user);
    return { user: sub, plan };
  });

  app.get('/items', { preHandler: requireKey, config: { rateLimit: itemsLimit } }, (request) => {
    return { plan: keyHolder(request)?.plan, items: [] };
  });

  app.get('/report', { config: { rateLimit: reportLimit } }, async () => {
    // Stands for slow work in a database.
    await delay(100);
    return { report: 'All is well.' };
  });

  return app;
}

/**
 * @param {unknown} error
 * @param {FastifyRequest} _request
 * @param {FastifyReply} reply
 */
function answerError(error, _request, reply) {
  // Errors of the client have a status, such as 400 for invalid JSON. Other errors stay private.
  const { statusCode = 500, message } = /** @type {Error & { statusCode?: number }} */ (error);
  if (statusCode >= 500) console.error(error);
  reply.code(statusCode).send({ error: statusCode < 500 ? message : 'Something went wrong here' });
}
