import { byApiKey, byIp, createLimiter, type HttpRequest } from '@sluice/core';
import { membersOf, statusesOf } from '../express/fields.js';
import { left, violated } from '../told.js';
import { newAddress, newName } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const drafts = { headers: ['x-ratelimit', 'draft-11'] } as const;

export function tiers(world: World): void {
  describe('tiers', () => {
    const site = siteOf(world, (store) => {
      const limiterOf = (name: string, limit: number) =>
        createLimiter<HttpRequest>({ store, name, limit, window: '1h', key: byIp() });
      const shared = limiterOf('shared', 5);
      return {
        routes: [
          {
            path: '/three',
            limits: [
              {
                ...drafts,
                tiers: [
                  { name: 'minute', limit: 2, window: '1m' },
                  { name: 'day', limit: 10, window: '1d' },
                  { name: 'hour', limit: 5, window: '1h' },
                ],
              },
            ],
          },
          {
            path: '/keys',
            limits: [
              {
                ...drafts,
                tiers: [
                  { name: 'of-key', limit: 2, window: '1h', key: byApiKey() },
                  { name: 'of-address', limit: 5, window: '1h' },
                ],
              },
            ],
          },
          {
            path: '/both-deny',
            limits: [
              {
                ...drafts,
                tiers: [
                  { name: 'small-hour', limit: 1, window: '1h' },
                  { name: 'small-day', limit: 1, window: '1d' },
                ],
              },
            ],
          },
          {
            path: '/two-limiters',
            limits: [
              { ...drafts, limiter: limiterOf('wide', 5) },
              { ...drafts, limiter: limiterOf('narrow', 2) },
            ],
          },
          { path: '/shared-here', limits: [{ limiter: shared }] },
          { path: '/shared-there', limits: [{ limiter: shared }] },
          { path: '/own', limits: [{ name: 'own', limit: 5, window: '1h' }] },
        ],
      };
    });

    it('are told of largest first, and the headers of one speak of the closest', async () => {
      const answer = await site.ask({ path: '/three', from: newAddress() });

      expect(membersOf(answer, 'ratelimit-policy')).toEqual([
        { name: 'day', q: 10, w: 86_400 },
        { name: 'hour', q: 5, w: 3_600 },
        { name: 'minute', q: 2, w: 60 },
      ]);
      expect(membersOf(answer, 'ratelimit')).toMatchObject([
        { name: 'day', r: 9 },
        { name: 'hour', r: 4 },
        { name: 'minute', r: 1 },
      ]);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
    });

    it('are charged together, or not at all when one denies', async () => {
      const answers = await site.askTimes(5, { path: '/three', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429, 429, 429]);
      // Those that come after it are told of the tier that is known to deny.
      expect(membersOf(answers[2]!, 'ratelimit')).toMatchObject([
        { name: 'day', r: 8 },
        { name: 'hour', r: 3 },
        { name: 'minute', r: 0 },
      ]);
      expect(violated(answers.at(-1)!)).toEqual(['minute']);
    });

    it('of several identities leave those alone who are not denied', async () => {
      const [address, one, other] = [newAddress(), newName(), newName()];
      const ask = (key: string) => site.ask({ path: '/keys', from: address, headers: { 'X-Api-Key': key } });

      const answers = [await ask(one), await ask(one), await ask(one), await ask(other)];

      expect(statusesOf(answers)).toEqual([200, 200, 429, 200]);
      expect(membersOf(answers[3]!, 'ratelimit')).toMatchObject([
        { name: 'of-address', r: 2 },
        { name: 'of-key', r: 1 },
      ]);
    });

    it('that deny are all named, and the longest wait counts', async () => {
      const [, denied] = await site.askTimes(2, { path: '/both-deny', from: newAddress() });

      expect(violated(denied!)).toEqual(['small-day', 'small-hour']);
      expect(Number(denied!.headers['retry-after'])).toBeGreaterThan(3_600);
      expect(denied!.headers['x-ratelimit-limit']).toBe('1');
    });

    it('of two limiters on one request are told of in joined lists', async () => {
      const answers = await site.askTimes(3, { path: '/two-limiters', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(membersOf(answers[0]!, 'ratelimit-policy')).toMatchObject([{ name: 'wide' }, { name: 'narrow' }]);
      expect(membersOf(answers[0]!, 'ratelimit')).toMatchObject([
        { name: 'wide', r: 4 },
        { name: 'narrow', r: 1 },
      ]);
      expect(left(answers)).toEqual([1, 0, 0]);
      expect(violated(answers[2]!)).toEqual(['narrow']);
    });

    it('of two limiters are charged in their order: the first has counted what the second denies', async () => {
      const answers = await site.askTimes(6, { path: '/two-limiters', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429, 429, 429, 429]);
      expect(violated(answers[4]!)).toEqual(['narrow']);
      expect(violated(answers[5]!)).toEqual(['wide']);
    });

    it('of one limiter on two routes have one budget, and routes with limits of their own do not', async () => {
      const from = newAddress();

      const answers = [];
      for (const path of ['/shared-here', '/shared-there', '/own']) answers.push(await site.ask({ path, from }));

      expect(left(answers)).toEqual([4, 3, 4]);
    });
  });
}
