const fastify = require('fastify');
const { rateLimit } = require('@sluice/fastify');

async function main() {
  const app = fastify();
  await app.register(rateLimit, { limit: 2, window: '1m' });
  app.get('/', async (request) => request.rateLimit.binding.remaining);

  const answers = [];
  for (let request = 0; request < 3; request++) answers.push(await app.inject('/'));
  await app.close();

  console.log(JSON.stringify(answers.map(({ statusCode }) => statusCode)));
}

void main();
