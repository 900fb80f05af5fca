import { byApiKey, byIp, createLimiter, type Duration, type HttpRequest } from '@sluice/http';
import { newAddress, newName } from '../../support/identities.js';
import { membersOf, remainingOf, statusesOf, violatedPolicies } from '../../support/responses.js';
import type { Limit } from '../stack.js';
import { siteOf, type World } from '../world.js';

const both = { headers: ['x-ratelimit', 'draft-11'] } as const;

export function tiers(world: World): void {
  describe('tiers', () => {
    const site = siteOf(world, (store) => {
      const limiterOf = (name: string, limit: number) =>
        createLimiter<HttpRequest>({ store, name, limit, window: '1h', key: byIp() });
      const [wide, narrow] = [limiterOf('wide', 5), limiterOf('narrow', 2)];
      const shared = limiterOf('shared', 5);
      const tier = (name: string, limit: number, window: Duration) => ({ name, limit, window });
      const route = (path: string, ...limits: Limit[]) => ({
        path,
        limits: limits.map((each) => ({ ...each, ...both })),
      });
      return {
        routes: [
          route('/three', { tiers: [tier('minute', 2, '1m'), tier('day', 10, '1d'), tier('hour', 5, '1h')] }),
          route('/keys', { tiers: [{ ...tier('of-key', 2, '1h'), key: byApiKey() }, tier('of-address', 5, '1h')] }),
          route('/both-deny', {
            tiers: [tier('small-hour', 1, '1h'), tier('week', 100, '7d'), tier('small-day', 1, '1d')],
          }),
          route('/wide-narrow', { limiter: wide }, { limiter: narrow }),
          route('/narrow-wide', { limiter: narrow }, { limiter: wide }),
          route('/shared-here', { limiter: shared }),
          route('/shared-there', { limiter: shared }),
          route('/own', tier('own', 5, '1h')),
        ],
      };
    });

    it('C9 are sent largest first, in one list a field; X-RateLimit reports the closest tier', async () => {
      const response = await site.send({ path: '/three', from: newAddress() });

      expect(membersOf(response, 'ratelimit-policy')).toEqual([
        { name: 'day', q: 10, w: 86_400 },
        { name: 'hour', q: 5, w: 3_600 },
        { name: 'minute', q: 2, w: 60 },
      ]);
      expect(membersOf(response, 'ratelimit')).toMatchObject([
        { name: 'day', r: 9 },
        { name: 'hour', r: 4 },
        { name: 'minute', r: 1 },
      ]);
      expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
    });

    it('charges all tiers together, or none when one denies', async () => {
      const responses = await site.sendTimes(5, { path: '/three', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 200, 429, 429, 429]);
      // Later denials come from the deny cache, which knows only the tier that denies.
      expect(membersOf(responses[2]!, 'ratelimit')).toMatchObject([
        { name: 'day', r: 8 },
        { name: 'hour', r: 3 },
        { name: 'minute', r: 0 },
      ]);
      expect(violatedPolicies(responses.at(-1)!)).toEqual(['minute']);
    });

    it('counts each tier by its own identity', async () => {
      const [address, one, other] = [newAddress(), newName(), newName()];
      const request = (key: string) => ({ path: '/keys', from: address, headers: { 'X-Api-Key': key } });

      const responses = await site.sendEach([one, one, one, other].map(request));

      expect(statusesOf(responses)).toEqual([200, 200, 429, 200]);
      expect(membersOf(responses[3]!, 'ratelimit')).toMatchObject([
        { name: 'of-address', r: 2 },
        { name: 'of-key', r: 1 },
      ]);
    });

    it('C23 C25 names every tier that denies, and reports the longest wait', async () => {
      const [, denied] = await site.sendTimes(2, { path: '/both-deny', from: newAddress() });

      expect(violatedPolicies(denied!)).toEqual(['small-day', 'small-hour']);
      expect(membersOf(denied!, 'ratelimit')).toMatchObject([
        { name: 'week', r: 99 },
        { name: 'small-day', r: 0 },
        { name: 'small-hour', r: 0 },
      ]);
      expect(Number(denied!.headers['retry-after'])).toBeGreaterThan(3_600);
      expect(denied!.headers['x-ratelimit-limit']).toBe('1');
    });

    it.each([
      ['/wide-narrow', ['wide', 'narrow'], ['narrow', 'narrow', 'narrow', 'wide']],
      ['/narrow-wide', ['narrow', 'wide'], ['narrow', 'narrow', 'narrow', 'narrow']],
    ])('C10 joins the lists of two limiters and charges them in their order: %s', async (path, names, denials) => {
      const responses = await site.sendTimes(6, { path, from: newAddress() });

      const [first] = responses;
      expect(membersOf(first!, 'ratelimit-policy').map(({ name }) => name)).toEqual(names);
      expect(membersOf(first!, 'ratelimit')).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'wide', r: 4 }),
          expect.objectContaining({ name: 'narrow', r: 1 }),
        ]),
      );
      expect(statusesOf(responses)).toEqual([200, 200, 429, 429, 429, 429]);
      expect(remainingOf(responses.slice(0, 3))).toEqual([1, 0, 0]);
      expect(responses.slice(2).map(violatedPolicies)).toEqual(denials.map((name) => [name]));
    });

    it('shares the budget of one limiter on two routes, and no budget between limits of routes', async () => {
      const from = newAddress();

      const responses = await site.sendEach(['/shared-here', '/shared-there', '/own'].map((path) => ({ path, from })));

      expect(remainingOf(responses)).toEqual([4, 3, 4]);
    });
  });
}
