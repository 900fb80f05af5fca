import { setTimeout as delay } from 'node:timers/promises';
import { usage } from '@sluice/example-shared';
import { rateLimit } from '@sluice/fastify';
import fastify from 'fastify';
import { keyHolder, requireKey } from './api-key.js';
import { itemsLimit, loginLimit, meLimit, publicLimit, reportLimit, searchLimit } from './limits.js';
import { login } from './login.js';
import { useTokens, verifyToken } from './token.js';

/** @import { Store } from '@sluice/fastify' */
/** @import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify' */
/** @import { Claims } from './token.js' */

/**
 * @param {Store} store counts the requests
 * @returns {Promise<FastifyInstance>}
 */
export async function createApp(store) {
  // Behind a proxy, all clients share its address and one limit, unless the app trusts the proxy:
  // trustProxy: 'loopback', or the proxy's address. Never `true`: clients could claim any address.
  const app = fastify();
  app.setErrorHandler(answerError);
  await useTokens(app);
  // Limits nothing itself (`global: false`): routes define their limits and inherit these options.
  // Most clients read X-RateLimit-*. The draft standard, RateLimit and RateLimit-Policy, reports all tiers.
  await app.register(rateLimit, { store, headers: ['x-ratelimit', 'draft-11'], global: false });

  app.get('/', (request, reply) => {
    reply.type('text/plain; charset=utf-8').send(usage(`localhost:${request.socket.localPort}`));
  });

  app.get('/health', () => ({ healthy: true }));

  app.get('/public', { config: { rateLimit: publicLimit } }, () => ({ news: 'Everyone can read this.' }));

  app.get('/search', { config: { rateLimit: searchLimit } }, (request) => {
    const { q = '' } = /** @type {{ q?: unknown }} */ (request.query);
    return { query: q, found: [] };
  });

  // The limit needs the body, which names the account, and comes before the password check.
  app.post('/login', { bodyLimit: 1024, preHandler: app.rateLimit(loginLimit) }, login);

  app.get('/me', { onRequest: verifyToken, config: { rateLimit: meLimit } }, (request) => {
    const { sub, plan } = /** @type {Claims} */ (request.user);
    return { user: sub, plan };
  });

  app.get('/items', { preHandler: requireKey, config: { rateLimit: itemsLimit } }, (request) => {
    return { plan: keyHolder(request)?.plan, items: [] };
  });

  app.get('/report', { config: { rateLimit: reportLimit } }, async () => {
    // Stands for an expensive database query.
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
  // An error of the client has a status, such as 400 for invalid JSON. Details of other errors stay private.
  const { statusCode = 500, message } = /** @type {Error & { statusCode?: number }} */ (error);
  if (statusCode >= 500) console.error(error);
  reply.code(statusCode).send({ error: statusCode < 500 ? message : 'Internal error' });
}
