import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL);
const app = Fastify();
await app.register(rateLimit, { max: 3, redis, nameSpace: process.env.APP });
app.get('/', async () => 'ok');
await app.listen({ port: 3000 });
