import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const fastify = Fastify();
await fastify.register(rateLimit, {
  max: 2,
  timeWindow: '1 minute',
  redis: new Redis(process.env.REDIS_URL),
  allowList: [],
  keyGenerator: (request) => request.ip,
  onExceeding: (request, key) => fastify.log.info(`${key} counts`),
  onExceeded: (request, key) => {
    fastify.log.warn(`${key} is denied`);
  },
});
fastify.addHook('onRoute', (route) => {
  if (route.path === '/own') route.config.rateLimit = { max: 1, timeWindow: 60_000 };
});
fastify.setNotFoundHandler({ preHandler: fastify.rateLimit() }, (request, reply) => reply.code(404).send());
fastify.get('/', async () => 'ok');
await fastify.listen({ port: 3000 });
