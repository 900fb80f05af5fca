import { createLimiter, byIp, type HttpRequest } from '@sluice/core';
import type { Limit } from '../adapter.js';
import { limitFields, statusesOf } from '../express/fields.js';
import { left } from '../told.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const SECRET = 'a detail of the inside';
const wrong = ({ headers }: HttpRequest) => headers?.['x-fails'] === 'yes';
const fail = (): never => {
  throw new Error(SECRET);
};

/** What can go wrong, each beside a tier that would be charged. */
const failures: readonly [name: string, limit: (tier: object) => object][] = [
  ['skip', (tier) => ({ tiers: [tier], skip: (request: HttpRequest) => wrong(request) && fail() })],
  ['skip later', (tier) => ({ tiers: [tier], skip: async (request: HttpRequest) => wrong(request) && fail() })],
  ['cost', (tier) => ({ tiers: [tier], cost: (request: HttpRequest) => (wrong(request) ? fail() : 1) })],
  ['cost later', (tier) => ({ tiers: [tier], cost: async (request: HttpRequest) => (wrong(request) ? fail() : 1) })],
  ['cost of nonsense', (tier) => ({ tiers: [tier], cost: (request: HttpRequest) => (wrong(request) ? NaN : 1) })],
  ['key', (tier) => beside(tier, { key: (request: HttpRequest) => (wrong(request) ? fail() : 'a') })],
  ['key later', (tier) => beside(tier, { key: async (request: HttpRequest) => (wrong(request) ? fail() : 'a') })],
  ['key of nothing', (tier) => beside(tier, { key: (request: HttpRequest) => (wrong(request) ? undefined : 'a') })],
  ['limit', (tier) => beside(tier, { limit: (request: HttpRequest) => (wrong(request) ? fail() : 1_000) })],
  ['limit of nonsense', (tier) => beside(tier, { limit: (request: HttpRequest) => (wrong(request) ? -1 : 1_000) })],
  ['plans', (tier) => plan(tier, fail)],
  ['plans later', (tier) => plan(tier, async () => fail())],
];

const beside = (tier: object, other: object) => ({
  tiers: [tier, { name: `${nameOf(tier)}-other`, limit: 1_000, window: '1h', ...other }],
});
const plan = (tier: object, otherwise: () => unknown) => {
  const tiers = [tier];
  return { tiers: (request: HttpRequest) => (wrong(request) ? otherwise() : tiers) };
};
const nameOf = (tier: object) => (tier as { name: string }).name;

export function failingFunctions(world: World): void {
  describe('a function of the application that fails', () => {
    const site = siteOf(world, (store) => ({
      routes: [
        ...failures.map(([, limit], index) => ({
          path: `/${index}`,
          limits: [limit({ name: `failing-${index}`, limit: 5, window: '1h' }) as Limit],
        })),
        {
          path: '/body',
          limits: [{ name: 'failing-body', limit: 1, window: '1h', body: fail }],
        },
        {
          path: '/handler',
          limits: [{ name: 'failing-handler', limit: 5, window: '1h' }],
          handle: async () => fail(),
        },
        {
          path: '/second',
          limits: [
            {
              limiter: createLimiter<HttpRequest>({ store, name: 'before', limit: 5, window: '1h', key: byIp() }),
              skip: () => false,
            },
            { name: 'failing-second', limit: 5, window: '1h', key: fail },
          ],
        },
      ],
    }));
    const errorsDuring = async (ask: () => Promise<unknown>) => {
      const before = site.errors.length;
      await ask();
      return site.errors.slice(before);
    };

    it.each(failures.map(([name], index) => ({ name, path: `/${index}` })))(
      'is an error of the framework, once, and charges nothing: $name',
      async ({ path }) => {
        const from = newAddress();

        const errors = await errorsDuring(async () => {
          const answer = await site.ask({ path, from, headers: { 'X-Fails': 'yes' } });
          expect(answer.status).toBe(500);
          expect(limitFields(answer)).toEqual({});
        });

        expect(errors).toMatchObject([{ name: 'UsageError' }]);
        expect(left([await site.ask({ path, from })])).toEqual([4]);
      },
    );

    it('is an error of the framework where it makes the body of a denial', async () => {
      const question = { path: '/body', from: newAddress() };

      const errors = await errorsDuring(async () => {
        expect(statusesOf(await site.askTimes(2, question))).toEqual([200, 500]);
      });

      expect(errors).toMatchObject([{ name: 'UsageError' }]);
    });

    it('is an error of the framework when another limiter has counted the request', async () => {
      const errors = await errorsDuring(async () => {
        expect((await site.ask({ path: '/second', from: newAddress() })).status).toBe(500);
      });

      expect(errors).toMatchObject([{ name: 'UsageError' }]);
    });

    it('leaves an error of the handler as it is: the request stays counted', async () => {
      const question = { path: '/handler', from: newAddress() };

      const errors = await errorsDuring(async () => {
        expect(statusesOf(await site.askTimes(6, question))).toEqual([500, 500, 500, 500, 500, 429]);
      });

      expect(errors).toHaveLength(5);
      expect(errors[0]).toMatchObject({ message: SECRET });
    });
  });
}
