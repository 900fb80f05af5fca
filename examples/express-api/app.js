import { setTimeout as delay } from 'node:timers/promises';
import { usage } from '@sluice/example-shared';
import express from 'express';
import { keyHolder, requireKey } from './api-key.js';
import { login } from './login.js';
import { verifyToken } from './token.js';

/** @import { Express, NextFunction, Request, Response } from 'express' */
/** @import { createLimits } from './limits.js' */
/** @import { AuthenticatedRequest } from './token.js' */

/**
 * @param {ReturnType<typeof createLimits>} limits
 * @returns {Express}
 */
export function createApp(limits) {
  const app = express();
  app.disable('x-powered-by');
  // Behind a proxy, all clients share its address and one limit, unless the app trusts the proxy:
  // app.set('trust proxy', 'loopback'), or the proxy's address. Never `true`: clients could claim any address.

  app.get('/', (request, response) => {
    response.type('text').send(usage(`localhost:${request.socket.localPort}`));
  });

  app.get('/health', (_request, response) => {
    response.json({ healthy: true });
  });

  app.get('/public', limits.public, (_request, response) => {
    response.json({ news: 'Everyone can read this.' });
  });

  app.get('/search', limits.search, (request, response) => {
    response.json({ query: request.query['q'] ?? '', found: [] });
  });

  // The limit needs the body, which names the account, and comes before the password check.
  app.post('/login', express.json({ limit: '1kb' }), limits.login, login);

  app.get('/me', verifyToken, limits.me, (/** @type {AuthenticatedRequest} */ request, response) => {
    response.json({ user: request.auth?.sub, plan: request.auth?.['plan'] });
  });

  app.get('/items', limits.items, requireKey, (request, response) => {
    response.json({ plan: keyHolder(request)?.plan, items: [] });
  });

  app.get('/report', limits.report, async (_request, response) => {
    // Stands for an expensive database query.
    await delay(100);
    response.json({ report: 'All is well.' });
  });

  app.use(answerError);
  return app;
}

/**
 * @param {Error & { status?: number }} error
 * @param {Request} _request
 * @param {Response} response
 * @param {NextFunction} next
 */
function answerError(error, _request, response, next) {
  if (response.headersSent) {
    next(error);
    return;
  }
  // An error of the client has a status, such as 400 for invalid JSON. Details of other errors stay private.
  const { status = 500, message } = error;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? message : 'Internal error' });
}
