import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';

const fastify = Fastify({ trustProxy: 'loopback' });
await fastify.register(rateLimit, {
  max: 2,
  keyGenerator: function (request) {
    return (
      request.headers['x-real-ip'] || // nginx
      request.headers['x-forwarded-for'] || // others
      request.ip // fallback to default
    );
  },
});
fastify.get('/', async () => 'ok');
await fastify.listen({ port: 3000 });
