import Fastify, { type FastifyInstance } from 'fastify';
import rateLimit from '@fastify/rate-limit';

const MINUTE = 60 * 1000;
const WRITES = { max: 2, timeWindow: MINUTE };

const server: FastifyInstance = Fastify();
await server.register(rateLimit, { max: 100, timeWindow: '15 minutes' });
server.post('/orders', { config: { rateLimit: WRITES } }, async () => 'ordered');
server.delete('/orders', { config: { rateLimit: WRITES } }, async () => 'deleted');
await server.listen({ port: 3000 });
