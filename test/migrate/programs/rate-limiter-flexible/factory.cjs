const express = require('express');
const { Redis } = require('ioredis');
const { RateLimiterRedis } = require('rate-limiter-flexible');

const client = new Redis(process.env.REDIS_URL);

function limitOf(kind, points) {
  const limiter = new RateLimiterRedis({ storeClient: client, keyPrefix: kind, points, duration: 60 });
  return (request, response) => {
    limiter.consume('all').then(
      () => response.send('ok'),
      () => response.sendStatus(429),
    );
  };
}

const app = express();
app.get('/read', limitOf('read', 2));
app.get('/write', limitOf('write', 1));
app.listen(3000);
