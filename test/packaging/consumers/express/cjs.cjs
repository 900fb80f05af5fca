const express = require('express');
const { byApiKey, rateLimit } = require('@sluice/express');

async function main() {
  // As an ES module, which only import() can load.
  const modules = { core: await import('@sluice/http'), express: await import('@sluice/express') };

  const app = express();
  const headers = ['draft-11'];
  const limiter = modules.core.createLimiter({ name: 'hour', key: modules.core.byIp(), limit: 100, window: '1h' });
  // One gate of each copy of the adapter, the second with a limiter of the other copy of core.
  app.use(modules.express.rateLimit({ name: 'minute', key: byApiKey(), limit: 2, window: '1m', headers }));
  app.use(rateLimit({ limiter, headers }));
  app.get('/', (request, response) => void response.json(request.rateLimit.allowed));

  const { printAnswers } = await import('./out/answers.mjs');
  const server = app.listen(0, () => void printAnswers(server));
}

void main();
