import express from 'express';
import { byApiKey, rateLimit, type Decision, type HttpRequest, type Limiter } from '@sluice/express';
// The types of the other copy: those for CommonJS.
import core = require('@sluice/http');
import { printAnswers } from './answers.mjs';

const app = express();
const limiter: Limiter<HttpRequest> = core.createLimiter({ name: 'hour', key: core.byIp(), limit: 100, window: '1h' });
app.use(rateLimit({ name: 'minute', key: byApiKey(), limit: 2, window: '1m', headers: ['draft-11'] }));
app.use(rateLimit({ limiter, headers: ['draft-11'] }));
app.get('/', (request, response) => {
  const decision: Decision | undefined = request.rateLimit ?? response.locals.rateLimit;
  // @ts-expect-error: a decision is no text, which only types that resolve can tell
  void (() => request.rateLimit satisfies string | undefined);
  response.json(decision?.allowed);
});

const server = app.listen(0, () => void printAnswers(server));
