import express from 'express';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

const client = new Redis(process.env.REDIS_URL);
const limiter = new RateLimiterRedis({ storeClient: client, keyPrefix: process.env.APP, points: 3, duration: 60 });

const app = express();
app.use((request, response) => {
  limiter.consume('all').then(
    () => response.send('ok'),
    () => response.sendStatus(429),
  );
});
app.listen(3000);
