import Fastify from 'fastify';

const fastify = Fastify();
await fastify.register(import('@fastify/rate-limit'), {
  max: 2,
  timeWindow: '1 minute',
});

fastify.get('/', (request, reply) => {
  reply.send({ hello: 'world' });
});
await fastify.listen({ port: 3000 });
