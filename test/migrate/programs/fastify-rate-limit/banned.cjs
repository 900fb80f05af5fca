const fastify = require('fastify')();
const rateLimit = require('@fastify/rate-limit');

fastify.register(rateLimit, { max: 1, timeWindow: '1 minute', ban: 2 });
fastify.register(async (scope) => {
  scope.get('/', async () => 'ok');
});
fastify.listen({ port: 3000 });
