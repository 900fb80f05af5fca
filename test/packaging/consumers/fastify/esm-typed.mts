import fastify from 'fastify';
import rateLimit, { byIp, type Decision } from '@sluice/fastify';

const app = fastify();
await app.register(rateLimit, { tiers: [{ name: 'minute', key: byIp(), limit: 2, window: '1m' }] });
// A second plugin adds its limit, and is typed by the module that it comes from.
await app.register(import('@sluice/fastify'), { tiers: [{ name: 'day', key: byIp(), limit: 200, window: '1d' }] });
app.get('/', { config: { rateLimit: { limit: 50, window: '1h' } } }, async (request) => {
  const decision: Decision | undefined = request.rateLimit;
  // @ts-expect-error: there is no such field, which only types that resolve can tell
  void decision?.blocked;
  return decision?.binding?.remaining;
});

const answers: number[] = [];
for (let request = 0; request < 3; request++) answers.push((await app.inject('/')).statusCode);
await app.close();

console.log(JSON.stringify(answers));
