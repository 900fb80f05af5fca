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

const server = app.listen(0, async () => {
  const { port } = server.address() as { port: number };
  const answers: Response[] = [];
  for (let request = 0; request < 3; request++) answers.push(await fetch(`http://127.0.0.1:${port}`));
  server.close();

  console.log(
    JSON.stringify({
      statuses: answers.map(({ status }) => status),
      policies: answers.map((answer) => answer.headers.get('ratelimit-policy')),
      names: answers.map((answer) => answer.headers.get('ratelimit')?.match(/"\w+";r=\d+/g)),
    }),
  );
});
