import { byHeader, createLimiter, type HttpRequest, type Store } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { Redis } from 'ioredis';
import { startRedis, type RedisServer } from '../support/redis.js';
import { remainingOf } from '../support/responses.js';
import { expressFive } from './stacks/express.js';
import { fastify } from './stacks/fastify.js';
import { nestOnExpress } from './stacks/nest.js';
import { openSite, type StackSite } from './world.js';

const LIMIT = 60;

/** A stack and the cost of its requests. */
const servers = [
  { stack: expressFive, cost: 1 },
  { stack: fastify, cost: 2 },
  { stack: nestOnExpress, cost: 3 },
];

describe('Express, Fastify and Nest with equal limiters on one Redis', () => {
  let redis: RedisServer;
  let client: Redis;
  let stores: Store[];
  let sites: StackSite[];

  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.port);
    stores = servers.map(() => redisStore({ url: redis.url }, { deadline: '5s' }));
    sites = await Promise.all(
      servers.map(({ stack, cost }, index) => {
        const store = stores[index]!;
        const options = {
          store,
          name: 'key',
          key: byHeader('x-api-key'),
          limit: LIMIT,
          window: '1h',
          secret: 'shared',
        } as const;
        const limiter = createLimiter<HttpRequest>(options);
        return openSite(stack, { store, routes: [{ path: '/', limits: [{ limiter, cost }] }] });
      }),
    );
  });

  afterAll(async () => {
    await Promise.all(sites.map((site) => site.close()));
    await Promise.all(stores.map((store) => store.close()));
    client.disconnect();
    await redis.stop();
  });

  it('count a client under one key in Redis', async () => {
    const responses = [];
    for (const site of sites) responses.push(await site.send({ headers: { 'X-Api-Key': 'ada' } }));

    expect(remainingOf(responses)).toEqual([LIMIT - 1, LIMIT - 3, LIMIT - 6]);
    expect(await client.dbsize()).toBe(1);
  });

  it('admit exactly the limit together, at the cost of each', async () => {
    const request = { headers: { 'X-Api-Key': 'grace' } };

    const spent = await Promise.all(
      sites.map(async (site, index) => {
        const responses = await Promise.all(Array.from({ length: 2 * LIMIT }, () => site.send(request)));
        return responses.filter(({ status }) => status === 200).length * servers[index]!.cost;
      }),
    );

    expect(spent.reduce((sum, units) => sum + units)).toBe(LIMIT);
  });
});
