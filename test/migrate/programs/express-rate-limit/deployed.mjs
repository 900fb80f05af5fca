import express from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';

const client = new Redis(process.env.REDIS_URL);
const app = express();
app.use(
  rateLimit({
    max: 3,
    store: new RedisStore({
      prefix: `${process.env.APP}:api:`,
      sendCommand: (...command) => client.call(...command),
    }),
  }),
);
app.use((request, response) => response.send('ok'));
app.listen(3000);
