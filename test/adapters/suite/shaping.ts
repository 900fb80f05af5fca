import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { byIp, createLimiter, type HttpRequest, type Limiter } from '@sluice/core';
import { served } from '../adapter.js';
import { statusesOf } from '../express/fields.js';
import type { Question } from '../site.js';
import { until } from '../until.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

/** Milliseconds between two turns of the quick queue. */
const TURN = 50;

export function shaping(world: World): void {
  describe('a queue', () => {
    let slow: Limiter<HttpRequest>;
    const turns: number[] = [];
    const handle = () => {
      turns.push(performance.now());
      return served();
    };
    const site = siteOf(world, (store) => {
      // Half a minute between two turns: who waits is still there when a test is over.
      const queue = { name: 'slow', algorithm: 'leaky-bucket', limit: 2, window: '1m', queue: 2 } as const;
      slow = createLimiter<HttpRequest>({
        store,
        tiers: [
          { ...queue, key: byIp() },
          { name: 'day', limit: 10, window: '1d', key: byIp() },
        ],
      });
      const quick = { name: 'quick', algorithm: 'leaky-bucket', limit: 1_000 / TURN, window: '1s', queue: 20 } as const;
      return {
        routes: [
          { path: '/quick', limits: [quick], handle },
          { path: '/slow', limits: [{ limiter: slow }], handle },
        ],
      };
    });
    const leftOf = async (ip: string, tier: string) => {
      const [inspection] = await slow.inspect({ ip }, { tiers: [tier] });
      return inspection!.outcome.remaining;
    };
    /** Begins to wait, with so many places left after that. */
    const wait = async (question: Question & { from: string }, left: number): Promise<ClientRequest> => {
      const waiting = site.begin(question);
      waiting.on('error', () => undefined);
      await once(waiting, 'socket');
      await until(async () => (await leftOf(question.from, 'slow')) === left);
      return waiting;
    };

    it('has requests wait for their turn, and tells them their limits', async () => {
      turns.length = 0;
      const question = { path: '/quick', from: newAddress() };

      const started = performance.now();
      const answers = await Promise.all([site.ask(question), site.ask(question), site.ask(question)]);

      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['21', '21', '21']);
      expect(turns).toHaveLength(3);
      // A timer may be early by a millisecond of the clock that it goes by, and Redis has a clock of its own.
      for (const [turn, moment] of turns.entries()) expect(moment - started).toBeGreaterThanOrEqual(turn * TURN - 3);
    });

    it('denies those that it has no place for, at once', async () => {
      const question = { path: '/slow', from: newAddress() };
      const first = await site.ask(question);
      const waiting = [await wait(question, 1), await wait(question, 0)];

      const denied = await site.ask(question);

      expect(statusesOf([first, denied])).toEqual([200, 429]);
      expect(Number(denied.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(denied.headers['retry-after'])).toBeLessThanOrEqual(30);
      for (const each of waiting) each.destroy();
    });

    it('gives the place of a client that leaves to the next one, and nothing else back', async () => {
      turns.length = 0;
      const question = { path: '/slow', from: newAddress() };
      await site.ask(question);
      const waiting = await wait(question, 1);

      waiting.destroy();
      await until(async () => (await leftOf(question.from, 'slow')) === 2);

      const { allowed, delay } = await slow.peek({ ip: question.from });
      expect([allowed, delay <= 30_000]).toEqual([true, true]);
      expect(await leftOf(question.from, 'day')).toBe(8);
      expect(turns).toHaveLength(1);
      expect(site.errors).toEqual([]);
    });
  });
}
