import { fairBy } from '@sluice/overload/fair';
import { balance, creditsOf } from '@sluice/quotas';
import { byIp, createLimiter, memoryStore, release } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { rateLimit } from '@sluice/hono';
import { Hono } from 'hono';
import { Redis } from 'ioredis';

/** What three requests of one client are answered, by a limit of two. */
async function admitted(store) {
  const limiter = createLimiter({ name: 'bundled', key: ({ user }) => user, limit: 2, window: '1h', store });
  const allowed = [];
  for (let count = 0; count < 3; count += 1) allowed.push((await limiter.consume({ user: 'ada' })).allowed);
  return allowed;
}

/** What is left of ten credits after one request, beside a tier of fair shares. Both need an import of their own. */
async function credits(store) {
  const key = ({ user }) => user;
  const running = { name: 'running', key, algorithm: 'concurrency', limit: 2, fair: fairBy(key) };
  const limiter = createLimiter({ store, tiers: [{ name: 'credits', key, algorithm: balance() }, running] });
  await creditsOf(limiter).credit({ user: 'bob' }, 10, { id: 'invoice-1' });
  const decision = await limiter.consume({ user: 'bob' });
  await release(decision);
  return decision.outcomes.find(({ tier }) => tier === 'credits').remaining;
}

async function main() {
  const client = new Redis(process.env.REDIS_URL, { enableOfflineQueue: false, lazyConnect: true });
  await client.connect();
  const store = redisStore(client);
  await store.ready();

  const app = new Hono();
  app.use(rateLimit({ limit: 2, window: '1m', key: () => 'all' }));
  app.get('/', (context) => context.text('hello'));
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await app.request('/')).status);

  const messageOf = (make) => {
    try {
      make();
    } catch (error) {
      return error.message;
    }
  };
  console.log(
    JSON.stringify({
      memory: await admitted(memoryStore()),
      redis: await admitted(store),
      credits: await credits(store),
      statuses,
      mistake: messageOf(() => createLimiter({ key: byIp(), limit: 1, windw: '1m' })),
      withoutClient: messageOf(() => redisStore({ url: process.env.REDIS_URL }).close()),
    }),
  );
  await store.close();
  client.disconnect();
}

void main();
