const { Hono } = require('hono');
const { default: defaultExport, rateLimit } = require('@sluice/hono');

async function main() {
  const app = new Hono();
  app.use(rateLimit({ limit: 2, window: '1m', ip: () => '203.0.113.7' }));
  app.use(defaultExport({ limit: 5, window: '1m' }));
  app.get('/', (c) => c.text('served'));

  const answers = [];
  for (let request = 0; request < 3; request++) answers.push((await app.request('/')).status);
  console.log(JSON.stringify(answers));
}

void main();
