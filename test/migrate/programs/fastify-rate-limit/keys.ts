import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyRequest } from 'fastify';

const app = Fastify();
await app.register(rateLimit, {
  max: async (request: FastifyRequest) => (request.headers['x-plan'] === 'pro' ? 3 : 1),
  timeWindow: 60_000,
  keyGenerator: (request) => (request.headers['x-user'] as string) ?? request.ip,
  allowList: (request: FastifyRequest) => request.headers['x-caller'] === 'internal',
  enableDraftSpec: true,
  skipOnError: true,
});
app.get('/', async () => 'ok');
await app.listen({ port: 3000 });
