import express from 'express';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';

const client = new Redis(process.env.REDIS_URL, { enableOfflineQueue: true });
const limiter = new RateLimiterRedis({
  storeClient: client,
  keyPrefix: 'middleware',
  points: 3,
  duration: 60,
  insuranceLimiter: new RateLimiterMemory({ points: 1, duration: 60 }),
});

const app = express();
app.use(async (request, response, next) => {
  const isAdmitted = await limiter.consume(request.ip).then(
    () => true,
    () => false,
  );
  if (isAdmitted) next();
  else response.sendStatus(429);
});
app.get('/', (request, response) => response.send('ok'));
app.listen(3000);
