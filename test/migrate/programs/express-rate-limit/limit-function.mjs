import express from 'express';
import { rateLimit } from 'express-rate-limit';

async function limitOf(request) {
  return request.get('x-plan') === 'pro' ? 3 : 1;
}

const app = express();
app.use(rateLimit({ windowMs: 60_000, limit: limitOf, keyGenerator: (request) => request.get('x-plan') ?? 'free' }));
app.get('/', (request, response) => response.send(`${request.rateLimit.remaining} of ${request.rateLimit.limit}`));
app.listen(3000);
