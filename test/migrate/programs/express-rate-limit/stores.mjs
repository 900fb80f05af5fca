import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';

const client = process.env.REDIS_URL ? new Redis(process.env.REDIS_URL) : undefined;
const sendCommand = (...command) => client.call(...command);
const storeOf = (prefix) => new RedisStore({ prefix, sendCommand });
const shared = client ? new RedisStore({ prefix: 'rl:shared:', sendCommand }) : undefined;

const app = express();
app.use('/function', rateLimit({ limit: 2, store: storeOf('rl:function:') }));
app.use('/other', rateLimit({ limit: 1, store: storeOf('rl:other:') }));
app.use('/spread', rateLimit({ ...(shared && { store: shared }), limit: 1 }));
app.use(
  '/choice',
  rateLimit({
    ...(client ? { store: new RedisStore({ prefix: 'rl:choice:', sendCommand }) } : {}),
    limit: 1,
  }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
