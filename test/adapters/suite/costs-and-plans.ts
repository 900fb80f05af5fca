import { byApiKey, type GateTier, type HttpRequest } from '@sluice/core';
import { membersOf, statusesOf } from '../express/fields.js';
import { left } from '../told.js';
import { newAddress, newName } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const hour = { limit: 10, window: '1h' } as const;
const costOf = ({ headers }: HttpRequest) => Number(headers?.['x-cost']);
const isPaid = ({ headers }: HttpRequest) => String(headers?.['x-api-key']).startsWith('paid');

const plans: Record<'free' | 'paid', readonly GateTier<HttpRequest>[]> = {
  free: [{ name: 'free', key: byApiKey(), limit: 2, window: '1h' }],
  paid: [
    { name: 'paid', key: byApiKey(), limit: 20, window: '1h' },
    { name: 'paid-day', key: byApiKey(), limit: 100, window: '1d' },
  ],
};

export function costsAndPlans(world: World): void {
  describe('costs and plans', () => {
    const site = siteOf(world, () => ({
      routes: [
        { path: '/number', limits: [{ ...hour, name: 'number', cost: 4 }] },
        { path: '/function', limits: [{ ...hour, name: 'function', cost: costOf }] },
        { path: '/later', limits: [{ ...hour, name: 'later', cost: async (request: HttpRequest) => costOf(request) }] },
        {
          path: '/query',
          limits: [{ ...hour, name: 'query', cost: ({ query }) => Number((query as { n?: string }).n) }],
        },
        {
          path: '/tiers',
          limits: [
            {
              headers: ['draft-11'],
              tiers: [
                { ...hour, name: 'units', limit: 100, cost: costOf },
                { ...hour, name: 'requests' },
              ],
            },
          ],
        },
        { path: '/plans', limits: [{ tiers: (request) => (isPaid(request) ? plans.paid : plans.free) }] },
        {
          path: '/limit',
          limits: [
            {
              headers: ['draft-11'],
              tiers: [
                { name: 'varied', limit: async (request) => (isPaid(request) ? 8 : 3), window: '1h' },
                { name: 'free-only', limit: (request) => (isPaid(request) ? null : 50), window: '1d' },
              ],
            },
          ],
        },
      ],
    }));
    const ask = (path: string, from: string, headers: Record<string, string> = {}) => site.ask({ path, from, headers });

    it('take the number of units that is said of all requests', async () => {
      const answers = await site.askTimes(3, { path: '/number', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(left(answers)).toEqual([6, 2, 0]);
    });

    it.each(['/function', '/later'])('take what a function says of each request: %s', async (path) => {
      const from = newAddress();

      const answers = [];
      for (const cost of [3, 5, 3, 2]) answers.push(await ask(path, from, { 'X-Cost': String(cost) }));

      expect(statusesOf(answers)).toEqual([200, 200, 429, 200]);
      expect(left(answers)).toEqual([7, 2, 0, 0]);
    });

    it('take 0 for a look that charges nothing', async () => {
      const from = newAddress();

      const answers = [];
      for (const cost of [0, 0, 4, 0]) answers.push(await ask('/function', from, { 'X-Cost': String(cost) }));

      expect(left(answers)).toEqual([10, 10, 6, 6]);
    });

    it('can be made of the query', async () => {
      const answer = await ask('/query?n=7', newAddress());

      expect(left([answer])).toEqual([3]);
    });

    it('are of each tier that says so', async () => {
      const answer = await ask('/tiers', newAddress(), { 'X-Cost': '30' });

      expect(membersOf(answer, 'ratelimit')).toMatchObject([
        { name: 'units', r: 70 },
        { name: 'requests', r: 9 },
      ]);
    });

    it('that can never fit are 422 for one tier, and charge none', async () => {
      const from = newAddress();

      const never = await ask('/tiers', from, { 'X-Cost': '101' });
      const next = await ask('/tiers', from, { 'X-Cost': '1' });

      expect(never.status).toBe(422);
      expect(membersOf(next, 'ratelimit')).toMatchObject([
        { name: 'units', r: 99 },
        { name: 'requests', r: 9 },
      ]);
    });

    it('choose tiers for each request', async () => {
      const [free, paid] = [newName(), `paid-${newName()}`];

      const frees = await site.askTimes(3, { path: '/plans', headers: { 'X-Api-Key': free } });
      const paids = await site.askTimes(3, { path: '/plans', headers: { 'X-Api-Key': paid } });

      expect(statusesOf(frees)).toEqual([200, 200, 429]);
      expect(left(paids)).toEqual([19, 18, 17]);
    });

    it('choose a limit for each request, or leave a tier out', async () => {
      const free = await ask('/limit', newAddress());
      const paid = await ask('/limit', newAddress(), { 'X-Api-Key': 'paid' });

      expect(membersOf(free, 'ratelimit-policy')).toMatchObject([
        { name: 'free-only', q: 50 },
        { name: 'varied', q: 3 },
      ]);
      expect(membersOf(paid, 'ratelimit-policy')).toMatchObject([{ name: 'varied', q: 8 }]);
    });
  });
}
