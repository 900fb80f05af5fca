import { byApiKey, type GateTier, type HttpRequest } from '@sluice/http';
import { newAddress, newName } from '../../support/identities.js';
import { limitFields, membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import { siteOf, type World } from '../world.js';
import { costing, costOf } from './policies.js';

const hour = { limit: 10, window: '1h' } as const;
const draft = { headers: ['draft-11'] } as const;
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
        {
          path: '/function',
          limits: [{ ...hour, name: 'cost', cost: async (request: HttpRequest) => costOf(request) }],
        },
        {
          path: '/tiers',
          limits: [
            {
              ...draft,
              tiers: [
                { ...hour, name: 'units', limit: 100, cost: costOf },
                { ...hour, name: 'requests' },
              ],
            },
          ],
        },
        { path: '/plans', limits: [{ tiers: async (request) => (isPaid(request) ? plans.paid : plans.free) }] },
        { path: '/no-plan', limits: [{ tiers: () => [] }] },
        {
          path: '/limit',
          limits: [
            {
              ...draft,
              tiers: [
                { name: 'varied', limit: async (request) => (isPaid(request) ? 8 : 3), window: '1h' },
                { name: 'free-only', limit: (request) => (isPaid(request) ? null : 50), window: '1d' },
              ],
            },
          ],
        },
      ],
    }));
    const costs = (path: string, from: string, units: readonly number[]) =>
      site.sendEach(units.map((each) => ({ path, from, ...costing(each) })));

    it('charge the cost that a function resolves to', async () => {
      const responses = await costs('/function', newAddress(), [3, 5, 3, 2]);

      expect(statusesOf(responses)).toEqual([200, 200, 429, 200]);
      expect(remainingOf(responses)).toEqual([7, 2, 0, 0]);
    });

    it('C42 charge nothing for a cost of 0', async () => {
      const responses = await costs('/function', newAddress(), [0, 0, 4, 0, 6, 0]);

      expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(remainingOf(responses)).toEqual([10, 10, 6, 6, 0, 0]);
    });

    it('C42 answer 422 and charge no tier when the cost can never fit one, and else charge each its own cost', async () => {
      const [never, next] = await costs('/tiers', newAddress(), [101, 30]);

      expect(never!.status).toBe(422);
      expect(membersOf(next!, 'ratelimit')).toMatchObject([
        { name: 'units', r: 70 },
        { name: 'requests', r: 9 },
      ]);
    });

    it('choose tiers for each request', async () => {
      const path = '/plans';
      const [free, paid] = [newName(), `paid-${newName()}`];

      const frees = await site.sendTimes(3, { path, headers: { 'X-Api-Key': free } });
      const paids = await site.sendTimes(3, { path, headers: { 'X-Api-Key': paid } });

      expect(statusesOf(frees)).toEqual([200, 200, 429]);
      expect(remainingOf(paids)).toEqual([19, 18, 17]);
    });

    it('send no fields when no tier applies', async () => {
      const response = await site.send({ path: '/no-plan' });

      expect([response.status, limitFields(response)]).toEqual([200, {}]);
    });

    it('C4 C43 report the limit of this request, and leave a tier out for null', async () => {
      const [free, paid] = await site.sendEach([
        { path: '/limit', from: newAddress() },
        { path: '/limit', from: newAddress(), headers: { 'X-Api-Key': 'paid' } },
      ]);

      expect(membersOf(free!, 'ratelimit-policy')).toMatchObject([
        { name: 'free-only', q: 50 },
        { name: 'varied', q: 3 },
      ]);
      expect(membersOf(paid!, 'ratelimit-policy')).toMatchObject([{ name: 'varied', q: 8 }]);
    });
  });
}
