import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';

const fastify = Fastify();
await fastify.register(rateLimit, { global: false, max: 3, timeWindow: 1000 * 60 });

fastify.get('/own', { config: { rateLimit: { max: 1, timeWindow: '1 hour' } } }, async () => 'own');
fastify.get('/inherited', { config: { rateLimit: {} } }, async () => 'inherited');
fastify.get('/hook', { preHandler: fastify.rateLimit({ max: 2, timeWindow: 60_000 }) }, async () => 'hook');
fastify.get('/free', async () => 'free');
await fastify.listen({ port: 3000 });
