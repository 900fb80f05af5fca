import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { byIp, createLimiter, type HttpRequest, type Limiter } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { statusesOf } from '../../support/responses.js';
import type { TestRequest } from '../../support/site.js';
import { until } from '../../support/until.js';
import { served } from '../stack.js';
import { siteOf, type World } from '../world.js';

/** Milliseconds between two requests of the quick queue. */
const INTERVAL_MS = 50;

export function queues(world: World): void {
  describe('a queue', () => {
    let slow: Limiter<HttpRequest>;
    const servedAt: number[] = [];
    const handle = () => {
      servedAt.push(performance.now());
      return served();
    };
    const site = siteOf(world, (store) => {
      // Half a minute between two requests: a request that waits still waits when a test ends.
      const queue = { name: 'slow', algorithm: 'leaky-bucket', limit: 2, window: '1m', queue: 2 } as const;
      slow = createLimiter<HttpRequest>({
        store,
        tiers: [
          { ...queue, key: byIp() },
          { name: 'day', limit: 10, window: '1d', key: byIp() },
        ],
      });
      const limit = 1_000 / INTERVAL_MS;
      return {
        routes: [
          {
            path: '/quick',
            limits: [{ name: 'quick', algorithm: 'leaky-bucket', limit, window: '1s', queue: 20 }],
            handle,
          },
          { path: '/slow', limits: [{ limiter: slow }], handle },
        ],
      };
    });
    const remaining = async (ip: string, tier: string) => {
      const [inspection] = await slow.inspect({ ip }, { tiers: [tier] });
      return inspection!.outcome.remaining;
    };
    /** Starts a request that waits, and leaves so many places free. */
    const enqueue = async (request: TestRequest & { from: string }, free: number): Promise<ClientRequest> => {
      const waiting = site.start(request);
      waiting.on('error', () => undefined);
      await once(waiting, 'socket');
      await until(async () => (await remaining(request.from, 'slow')) === free);
      return waiting;
    };

    it('serves requests one interval apart', async () => {
      servedAt.length = 0;
      const request = { path: '/quick', from: newAddress() };

      const startedAt = performance.now();
      const responses = await Promise.all([site.send(request), site.send(request), site.send(request)]);

      expect(statusesOf(responses)).toEqual([200, 200, 200]);
      expect(responses.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['21', '21', '21']);
      expect(servedAt).toHaveLength(3);
      // A timer can fire a millisecond early by its own clock, and Redis has another clock.
      for (const [index, time] of servedAt.entries()) {
        expect(time - startedAt).toBeGreaterThanOrEqual(index * INTERVAL_MS - 3);
      }
    });

    it('denies a request at once when it is full', async () => {
      const request = { path: '/slow', from: newAddress() };
      const first = await site.send(request);
      const waiting = [await enqueue(request, 1), await enqueue(request, 0)];

      const denied = await site.send(request);

      expect(statusesOf([first, denied])).toEqual([200, 429]);
      expect(Number(denied.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(denied.headers['retry-after'])).toBeLessThanOrEqual(30);
      for (const each of waiting) each.destroy();
    });

    it('frees the place of a client that disconnects, and refunds no other tier', async () => {
      servedAt.length = 0;
      const request = { path: '/slow', from: newAddress() };
      await site.send(request);
      const waiting = await enqueue(request, 1);

      waiting.destroy();
      await until(async () => (await remaining(request.from, 'slow')) === 2);

      const { allowed, delay } = await slow.peek({ ip: request.from });
      expect([allowed, delay <= 30_000]).toEqual([true, true]);
      expect(await remaining(request.from, 'day')).toBe(8);
      expect(servedAt).toHaveLength(1);
      expect(site.errors).toEqual([]);
    });
  });
}
