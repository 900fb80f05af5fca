import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';

const settings = { window: process.env.WINDOW };

const fastify = Fastify();
fastify.setErrorHandler((error, _request, reply) => reply.code(error.status ?? 500).send({ failed: error.code }));
await fastify.register(rateLimit, {
  max: 2,
  timeWindow: settings.window ?? '1 minute',
  keyGenerator: (request) => request.headers['x-user'] ?? request.ip,
  errorResponseBuilder: (_request, context) => ({ code: 'SLOW', status: context.statusCode }),
});
fastify.get('/', async () => 'ok');
fastify.get('/own', { config: { rateLimit: { max: 1, timeWindow: '5 minutes' } } }, async () => 'ok');
await fastify.listen({ port: 3000 });
