import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';

const client = new Redis(process.env.REDIS_URL);
const app = express();
app.use(
  '/api',
  rateLimit({
    windowMs: 60_000,
    limit: 2,
    passOnStoreError: true,
    store: new RedisStore({
      prefix: 'rl:api:',
      sendCommand: (command, ...args) => client.call(command, ...args),
    }),
  }),
);
app.use(
  '/login',
  rateLimit({
    limit: 1,
    store: new RedisStore({ prefix: 'rl:login:', sendCommand: (...command) => client.call(...command) }),
  }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
