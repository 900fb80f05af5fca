import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';

const client = new Redis(process.env.REDIS_URL);

const limitOf = (kind, max) =>
  rateLimit({
    max,
    standardHeaders: true,
    store: new RedisStore({ prefix: `rl:${kind}:`, sendCommand: (...command) => client.call(...command) }),
  });

const app = express();
app.use('/factory/read', limitOf('read', 2));
app.use('/factory/write', limitOf('write', 2));
app.use('/factory/pay', limitOf('pay', 1));
app.use((request, response) => response.send('ok'));
app.listen(3000);
