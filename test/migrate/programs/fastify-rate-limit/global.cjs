'use strict';
const fastify = require('fastify')();

fastify.register(require('@fastify/rate-limit'), {
  max: 2,
  timeWindow: '1 minute',
  cache: 10000,
  errorResponseBuilder: (request, context) => ({
    statusCode: 429,
    error: 'Too Many Requests',
    message: `Only ${context.max} requests. Try again in ${context.after}.`,
  }),
});
fastify.register(async (scope) => {
  scope.get('/', async () => 'limited');
  scope.get('/more', { config: { rateLimit: { max: 3 } } }, async () => 'more');
  scope.get('/free', { config: { rateLimit: false } }, async () => 'free');
});
fastify.listen({ port: 3000 });
