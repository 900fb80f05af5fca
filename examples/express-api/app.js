import { setTimeout as delay } from 'node:timers/promises';
import { greeting } from '@sluice/example-shared';
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
  // Behind a proxy all clients have its address, and share one limit, until you say whom to believe:
  // app.set('trust proxy', 'loopback'), or the proxy's own address. Never `true`, which believes every client.

  app.get('/', (request, response) => {
    response.type('text').send(greeting(`localhost:${request.socket.localPort}`));
  });

  app.get('/health', (_request, response) => {
    response.json({ healthy: true });
  });

  app.get('/public', limits.public, (_request, response) => {
    response.json({ news: 'Everybody may read this.' });
  });

  app.get('/search', limits.search, (request, response) => {
    response.json({ query: request.query['q'] ?? '', found: [] });
  });

  // The limit is there before the password is looked at, and needs the body to know the account.
  app.post('/login', express.json({ limit: '1kb' }), limits.login, login);

  app.get('/me', verifyToken, limits.me, (/** @type {AuthenticatedRequest} */ request, response) => {
    response.json({ user: request.auth?.sub, plan: request.auth?.['plan'] });
  });

  app.get('/items', limits.items, requireKey, (request, response) => {
    response.json({ plan: keyHolder(request)?.plan, items: [] });
  });

  app.get('/report', limits.report, async (_request, response) => {
    // Stands for work that keeps a database busy.
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
  // What a client did wrong has a status, such as 400 for JSON that is none. Anything else is not its business.
  const { status = 500, message } = error;
  if (status >= 500) console.error(error);
  response.status(status).json({ error: status < 500 ? message : 'Something went wrong here' });
}
