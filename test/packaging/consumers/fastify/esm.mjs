import fastify from 'fastify';
import defaultExport, { rateLimit } from '@sluice/fastify';

const statuses = [];
for (const plugin of [rateLimit, defaultExport, import('@sluice/fastify')]) {
  const app = fastify();
  await app.register(plugin, { limit: 2, window: '1m' });
  app.get('/', async (request) => request.rateLimit.binding.remaining);

  const answers = [];
  for (let request = 0; request < 3; request++) answers.push(await app.inject('/'));
  await app.close();
  statuses.push(answers.map(({ statusCode }) => statusCode));
}

console.log(JSON.stringify(statuses));
