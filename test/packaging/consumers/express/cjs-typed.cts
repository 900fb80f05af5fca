import express from 'express';
import { byApiKey, byIp, createLimiter, rateLimit, type Decision, type HttpRequest } from '@sluice/express';

const app = express();
const limiter = createLimiter<HttpRequest>({ name: 'hour', key: byIp(), limit: 100, window: '1h' });
app.use(rateLimit({ name: 'minute', key: byApiKey(), limit: 2, window: '1m', headers: ['draft-11'] }));
app.use(rateLimit({ limiter, headers: ['draft-11'] }));
app.get('/', (request, response) => {
  const decision: Decision | undefined = request.rateLimit ?? response.locals.rateLimit;
  // @ts-expect-error: a decision is no text, which only types that resolve can tell
  void (() => request.rateLimit satisfies string | undefined);
  response.json(decision?.allowed);
});

const server = app.listen(0, () => void import('./answers.mjs').then(({ printAnswers }) => printAnswers(server)));
