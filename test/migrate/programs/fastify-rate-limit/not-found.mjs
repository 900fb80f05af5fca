import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';

const fastify = Fastify();
await fastify.register(rateLimit, { max: 100 });
fastify.setNotFoundHandler({ preHandler: fastify.rateLimit({ max: 2 }) }, (request, reply) => reply.code(404).send());
fastify.get('/', async () => 'ok');
await fastify.listen({ port: 3000 });
