import { byIp, createLimiter, memoryStore, redisStore, type HttpRequest, type Limiter, type Store } from '@sluice/core';
import { limitFields, statusesOf } from '../express/fields.js';
import type { Answer } from '../express/site.js';
import { signal } from '../fastify/signal.js';
import { startRedis, type RedisServer } from '../../support/redis.js';
import type { Adapter } from '../adapter.js';
import { openSite, type Site } from '../site.js';
import { left } from '../told.js';
import { until } from '../until.js';
import { newAddress } from '../visitors.js';
import { outageRoutes } from './outage-routes.js';
import { troubles } from './troubles.js';

/** What an application does without its Redis, and when it is back. */
export function outage(adapter: Adapter): void {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.stop());

  describe.each(troubles)('whose Redis $name', (trouble) => {
    let store: Store;
    let limiter: Limiter<HttpRequest>;
    let site: Site;
    let before: Answer;
    let long: Answer;
    let handled = 0;

    beforeAll(async () => {
      const [reached, troubled] = [signal(), signal()];
      store = redisStore({ url: redis.url }, { deadline: '200ms' });
      limiter = createLimiter({ store, name: 'refund', key: byIp(), limit: 6, window: '1h', share: 1 / 3 });
      const routes = outageRoutes({
        limiter,
        alive: memoryStore(),
        onHandled: () => (handled += 1),
        onLong() {
          reached.give();
          return troubled.given;
        },
      });
      site = await openSite(adapter, { store, routes });

      before = await inRedis();
      const answer = site.ask({ path: '/long', from: newAddress() });
      await reached.given;
      trouble.begin(redis);
      troubled.give();
      long = await answer;
    });

    afterAll(async () => {
      await site.close();
      await store.close();
    });

    /** The first answer that Redis has counted. */
    async function inRedis(): Promise<Answer> {
      let answer: Answer | undefined;
      await until(async () => {
        answer = await site.ask({ path: '/local', from: newAddress() });
        return answer.text === 'redis false';
      });
      return answer!;
    }

    it('has been counting there', () => {
      expect(before.text).toBe('redis false');
      expect(limitFields(before)).toMatchObject({ 'x-ratelimit-limit': '6', 'ratelimit-policy': '"local";q=6;w=3600' });
    });

    it('answers what was under way, of which nothing is given back', () => {
      expect([long.status, long.text]).toEqual([200, 'redis 0']);
    });

    it('goes on limiting in this process, and tells its share', async () => {
      const answers = await site.askTimes(3, { path: '/local', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(left(answers)).toEqual([1, 0, 0]);
      expect(answers[0]!.text).toBe('local true');
      expect(limitFields(answers[0]!)).toMatchObject({
        'x-ratelimit-limit': '2',
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
        'ratelimit-policy': '"local";q=2;w=3600',
        ratelimit: expect.stringMatching(/^"local";r=1;t=\d+$/),
      });
    });

    it('denies there with 429, which is no outage', async () => {
      const [, , denied] = await site.askTimes(3, { path: '/local', from: newAddress() });

      expect(Number(denied!.headers['retry-after'])).toBeGreaterThan(5);
      expect(JSON.parse(denied!.text)).toMatchObject({
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        status: 429,
        'violated-policies': ['local'],
      });
    });

    it('lets through without a word of limits what is to be allowed', async () => {
      const answers = await site.askTimes(8, { path: '/allow', from: newAddress() });

      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 none true']));
      expect(answers.map(limitFields)).toEqual(Array.from({ length: 8 }, () => ({})));
    });

    it('answers 503 where it is to deny, with a time to wait and no word of limits, of Redis or of anyone', async () => {
      const answer = await site.ask({ path: '/deny', from: newAddress() });

      const fields = limitFields(answer);
      const wait = fields['retry-after'];
      expect([answer.status, answer.reason]).toEqual([503, 'Service Unavailable']);
      expect(fields).toEqual({ 'retry-after': expect.stringMatching(/^[1-5]$/) });
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'application/problem+json; charset=utf-8',
      });
      expect(JSON.parse(answer.text)).toEqual({
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        title: 'Request cannot be satisfied due to temporary server capacity constraints',
        status: 503,
        detail: `The limits of this service cannot be checked at the moment. Retry in ${wait} second${wait === '1' ? '' : 's'}.`,
      });
    });

    it('answers 503 as text to who accepts nothing else, and without a body to HEAD', async () => {
      const text = await site.ask({ path: '/deny', headers: { Accept: 'text/plain' } });
      const head = await site.ask({ path: '/deny', method: 'HEAD' });

      expect(statusesOf([text, head])).toEqual([503, 503]);
      expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(head.text).toBe('');
    });

    it('comes to no handler and no error handler then, and is never 429, however often it is asked', async () => {
      const answers = await site.askTimes(8, { path: '/deny', from: newAddress() });

      expect(new Set(statusesOf(answers))).toEqual(new Set([503]));
      expect([handled, site.errors]).toEqual([0, []]);
    });

    it('counts in the tiers that go on, and says nothing of the others', async () => {
      const answers = await site.askTimes(3, { path: '/counted', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(answers.map(({ headers }) => headers['ratelimit-policy'])).toEqual(
        Array.from({ length: 3 }, () => '"address";q=2;w=3600'),
      );
    });

    it.each(['/login', '/plan'])(
      'denies where one of several tiers is to: %s, and charges none of them',
      async (path) => {
        const from = newAddress();

        const denied = await site.askTimes(3, { path, from });
        const other = await site.ask({ path: '/counted', from });

        expect(statusesOf(denied)).toEqual([503, 503, 503]);
        expect(denied.map((answer) => Object.keys(limitFields(answer)))).toEqual(
          [...Array(3)].map(() => ['retry-after']),
        );
        expect(left([other])).toEqual([1]);
      },
    );

    it('heeds a tier more than its limiter', async () => {
      const answer = await site.ask({ path: '/kept', from: newAddress() });

      expect([answer.status, answer.text, limitFields(answer)]).toEqual([200, 'none true', {}]);
    });

    it('tells of limits that count elsewhere, also where another one is 503', async () => {
      const answer = await site.ask({ path: '/beside', from: newAddress() });

      expect(answer.status).toBe(503);
      expect(limitFields(answer)).toMatchObject({
        'retry-after': expect.stringMatching(/^[1-5]$/),
        'ratelimit-policy': '"alive";q=6;w=3600',
      });
    });

    it('gives back where it has counted', async () => {
      const from = newAddress();

      const answer = await site.ask({ path: '/refund', from });

      expect([answer.status, ...left([answer])]).toEqual([200, 1]);
      await until(async () => (await limiter.peek({ ip: from })).binding?.remaining === 2);
    });

    it('settles where it has counted', async () => {
      const answer = await site.ask({ path: '/settle', from: newAddress() });

      expect([answer.status, answer.text]).toEqual([200, '2']);
    });

    it('counts in Redis again when it is back, and denies nothing any more', async () => {
      await trouble.end(redis);

      const answers = [
        await inRedis(),
        await site.ask({ path: '/deny', from: newAddress() }),
        await site.ask({ path: '/login', from: newAddress() }),
      ];

      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      expect(answers[0]!.headers['x-ratelimit-limit']).toBe('6');
      expect(site.errors).toEqual([]);
    });
  });
}
