import { byIp, createLimiter, memoryStore, type HttpRequest, type Limiter, type Store } from '@sluice/core';
import { redisStore } from '@sluice/core/redis';
import { newAddress } from '../../support/identities.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import { restart } from '../../support/restart.js';
import { signal } from '../../support/signal.js';
import type { TestResponse } from '../../support/site.js';
import { until } from '../../support/until.js';
import type { Stack } from '../stack.js';
import { openSite, type StackSite } from '../world.js';
import { outageAnswers } from './outage-answers.js';
import { outageRoutes } from './outage-routes.js';

const DEADLINE_MS = 200;
/** The deadline, and time for a busy machine. */
const MAX_RESPONSE_MS = DEADLINE_MS + 450;

const outages: readonly {
  readonly name: string;
  begin(server: RedisServer): void;
  end(server: RedisServer): Promise<void>;
}[] = [
  { name: 'is killed', begin: ({ process }) => void process.kill('SIGKILL'), end: restart },
  {
    // Its connections stay open and carry nothing.
    name: 'freezes',
    begin: ({ process }) => void process.kill('SIGSTOP'),
    end: async ({ process }) => void process.kill('SIGCONT'),
  },
];

/** What an application does without its Redis, and after the outage. */
export function outage(stack: Stack): void {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  describe.each(outages)('an application whose Redis $name', (kind) => {
    let store: Store;
    let limiter: Limiter<HttpRequest>;
    let site: StackSite;
    let before: TestResponse;
    let long: TestResponse;
    let handled = 0;

    beforeAll(async () => {
      const [reached, begun] = [signal(), signal()];
      store = redisStore({ url: redis.url }, { deadline: DEADLINE_MS });
      limiter = createLimiter({ store, name: 'refund', key: byIp(), limit: 6, window: '1h', share: 1 / 3 });
      const routes = outageRoutes({
        limiter,
        alive: memoryStore(),
        onHandled: () => (handled += 1),
        onLong() {
          reached.give();
          return begun.given;
        },
      });
      site = await openSite(stack, { store, routes });

      before = await fromRedis();
      const response = site.send({ path: '/long', from: newAddress() });
      await reached.given;
      kind.begin(redis);
      begun.give();
      long = await response;
    });

    afterAll(async () => {
      await site.close();
      await store.close();
    });

    /** The first response that Redis has counted. */
    async function fromRedis(): Promise<TestResponse> {
      let response: TestResponse | undefined;
      await until(async () => {
        response = await site.send({ path: '/local', from: newAddress() });
        return response.text === 'redis false';
      });
      return response!;
    }

    it('has counted in Redis before', () => {
      expect(limitFields(before)).toMatchObject({ 'x-ratelimit-limit': '6', 'ratelimit-policy': '"local";q=6;w=3600' });
    });

    it('answers a request in flight, and refunds nothing of it', () => {
      expect([long.status, long.text]).toEqual([200, 'redis 0']);
    });

    it.each([
      ['/local', 200],
      ['/allow', 200],
      ['/deny', 503],
    ])('C44 answers %s with %d within a bound', async (path, status) => {
      const startedAt = performance.now();

      const response = await site.send({ path, from: newAddress() });

      expect(performance.now() - startedAt).toBeLessThan(MAX_RESPONSE_MS);
      expect(response.status).toBe(status);
    });

    outageAnswers(
      () => site,
      () => handled,
    );

    it('C44 reports its share of every window', async () => {
      const response = await site.send({ path: '/windows', from: newAddress() });

      expect(response.headers['ratelimit-policy']).toBe('"pages/1h";q=51;w=3600, "pages/1m";q=5;w=60');
    });

    it('counts in the tiers that go on, and does not report the others', async () => {
      const responses = await site.sendTimes(3, { path: '/counted', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 200, 429]);
      expect(responses.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
        Array.from({ length: 3 }, () => '"address";q=2;w=3600'),
      );
    });

    it.each(['/login', '/plan'])('denies when one of several tiers must deny, and charges none: %s', async (path) => {
      const from = newAddress();

      const denied = await site.sendTimes(3, { path, from });
      const other = await site.send({ path: '/counted', from });

      expect(statusesOf(denied)).toEqual([503, 503, 503]);
      expect(denied.map((response) => Object.keys(limitFields(response)))).toEqual(denied.map(() => ['retry-after']));
      expect(remainingOf([other])).toEqual([1]);
    });

    it('prefers the setting of a tier to that of its limiter', async () => {
      const response = await site.send({ path: '/kept', from: newAddress() });

      expect([response.status, response.text, limitFields(response)]).toEqual([200, 'none true', {}]);
    });

    it('refunds and settles where it has counted', async () => {
      const from = newAddress();

      const [refunded, settled] = await site.sendEach([
        { path: '/refund', from },
        { path: '/settle', from },
      ]);

      expect([refunded!.status, ...remainingOf([refunded!])]).toEqual([200, 1]);
      expect([settled!.status, settled!.text]).toEqual([200, '2']);
      await until(async () => (await limiter.peek({ ip: from })).binding?.remaining === 2);
    });

    it('C44 counts in Redis again after the outage, and denies nothing', async () => {
      await kind.end(redis);

      const responses = [
        await fromRedis(),
        ...(await site.sendEach(['/deny', '/login'].map((path) => ({ path, from: newAddress() })))),
      ];

      expect(statusesOf(responses)).toEqual([200, 200, 200]);
      expect(responses[0]!.headers['x-ratelimit-limit']).toBe('6');
      expect(site.errors).toEqual([]);
    });
  });
}
