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
  // Behind a proxy all clients have its address, and share one limit, until you say whom to believe:
  // trustProxy: 'loopback', or the proxy's own address. Never `true`, which believes every client.
  const app = fastify();
  app.setErrorHandler(answerError);
  await useTokens(app);
  // Limits nothing by itself: routes say what limits them, and have from here what they do not say.
  // X-RateLimit-* is what most clients read; RateLimit and RateLimit-Policy are the coming standard, with all tiers.
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

  // Two on one route. The second needs the body to know the account, and is there before the password is looked at.
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
    // Stands for work that keeps a database busy.
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
  // What a client did wrong has a status, such as 400 for JSON that is none. Anything else is not its business.
  const { statusCode = 500, message } = /** @type {Error & { statusCode?: number }} */ (error);
  if (statusCode >= 500) console.error(error);
  reply.code(statusCode).send({ error: statusCode < 500 ? message : 'Something went wrong here' });
}
