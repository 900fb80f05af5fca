import { createLimiter, byIp, memoryStore, type HttpRequest } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import type { Limit } from '../stack.js';
import { openSite, siteOf, type World } from '../world.js';

const SECRET = 'a detail of the inside';
const isWrong = ({ headers }: HttpRequest) => headers?.['x-fails'] === 'yes';
const fail = (): never => {
  throw new Error(SECRET);
};

/** Functions that fail, each next to a tier that would be charged. */
const failures: readonly [name: string, limit: (tier: object) => object][] = [
  ['skip', (tier) => ({ tiers: [tier], skip: (request: HttpRequest) => isWrong(request) && fail() })],
  ['async skip', (tier) => ({ tiers: [tier], skip: async (request: HttpRequest) => isWrong(request) && fail() })],
  ['cost', (tier) => ({ tiers: [tier], cost: (request: HttpRequest) => (isWrong(request) ? fail() : 1) })],
  ['async cost', (tier) => ({ tiers: [tier], cost: async (request: HttpRequest) => (isWrong(request) ? fail() : 1) })],
  ['invalid skip', (tier) => ({ tiers: [tier], skip: (request: HttpRequest) => isWrong(request) && 'false' })],
  ['invalid cost', (tier) => ({ tiers: [tier], cost: (request: HttpRequest) => (isWrong(request) ? NaN : 1) })],
  ['key', (tier) => withSecond(tier, { key: (request: HttpRequest) => (isWrong(request) ? fail() : 'a') })],
  ['async key', (tier) => withSecond(tier, { key: async (request: HttpRequest) => (isWrong(request) ? fail() : 'a') })],
  ['missing key', (tier) => withSecond(tier, { key: (request: HttpRequest) => (isWrong(request) ? undefined : 'a') })],
  ['limit', (tier) => withSecond(tier, { limit: (request: HttpRequest) => (isWrong(request) ? fail() : 1_000) })],
  ['invalid limit', (tier) => withSecond(tier, { limit: (request: HttpRequest) => (isWrong(request) ? -1 : 1_000) })],
  ['record', (tier) => withSecond(tier, { record: (request: HttpRequest) => (isWrong(request) ? fail() : 'text') })],
  ['tiers', (tier) => planOf(tier, fail)],
  ['async tiers', (tier) => planOf(tier, async () => fail())],
];

function withSecond(tier: object, options: object): object {
  const { name } = tier as { name: string };
  return { tiers: [tier, { name: `${name}-second`, limit: 1_000, window: '1h', ...options }] };
}

function planOf(tier: object, otherwise: () => unknown): object {
  const tiers = [tier];
  return { tiers: (request: HttpRequest) => (isWrong(request) ? otherwise() : tiers) };
}

export function errors(world: World): void {
  describe('an error', () => {
    const hour = { limit: 5, window: '1h' } as const;
    const site = siteOf(world, (store) => ({
      routes: [
        ...failures.map(([, limit], index) => ({
          path: `/${index}`,
          limits: [limit({ ...hour, name: `failing-${index}` }) as Limit],
        })),
        { path: '/body', limits: [{ name: 'failing-body', limit: 1, window: '1h', body: fail }] },
        { path: '/async-body', limits: [{ name: 'async-body', limit: 1, window: '1h', body: async () => fail() }] },
        { path: '/no-json', limits: [{ name: 'no-json', limit: 1, window: '1h', body: () => ({ units: 5n }) }] },
        { path: '/handler', limits: [{ ...hour, name: 'failing-handler' }], handle: async () => fail() },
        {
          path: '/second',
          limits: [
            {
              limiter: createLimiter<HttpRequest>({ ...hour, store, name: 'before', key: byIp() }),
              skip: () => false,
            },
            { ...hour, name: 'failing-second', key: fail },
          ],
        },
      ],
    }));
    const errorsDuring = async (act: () => Promise<unknown>) => {
      const before = site.errors.length;
      await act();
      return site.errors.slice(before);
    };

    it.each(failures.map(([name], index) => ({ name, path: `/${index}` })))(
      'reaches the error handler once and charges nothing: $name',
      async ({ path }) => {
        const from = newAddress();

        const reported = await errorsDuring(async () => {
          const response = await site.send({ path, from, headers: { 'X-Fails': 'yes' } });
          expect(response.status).toBe(500);
          expect(limitFields(response)).toEqual({});
        });

        expect(reported).toMatchObject([{ name: 'UsageError' }]);
        expect(remainingOf([await site.send({ path, from })])).toEqual([4]);
      },
    );

    it.each(['/body', '/async-body', '/no-json'])('reaches the error handler instead of a denial: %s', async (path) => {
      const reported = await errorsDuring(async () => {
        expect(statusesOf(await site.sendTimes(2, { path, from: newAddress() }))).toEqual([200, 500]);
      });

      expect(reported).toMatchObject([{ name: 'UsageError', code: 'FUNCTION_FAILED' }]);
    });

    it('reaches the error handler after another limiter has counted the request', async () => {
      const reported = await errorsDuring(async () => {
        expect((await site.send({ path: '/second', from: newAddress() })).status).toBe(500);
      });

      expect(reported).toMatchObject([{ name: 'UsageError' }]);
    });

    it('of the handler reaches the error handler unchanged, and the request stays counted', async () => {
      const reported = await errorsDuring(async () => {
        const responses = await site.sendTimes(6, { path: '/handler', from: newAddress() });
        expect(statusesOf(responses)).toEqual([500, 500, 500, 500, 500, 429]);
      });

      expect(reported).toHaveLength(5);
      expect(reported[0]).toMatchObject({ message: SECRET });
    });
  });

  it('answers 503 on a closed store, and warns', async () => {
    const store = memoryStore();
    const site = await openSite(world.stack, {
      store,
      routes: [{ path: '/', limits: [{ name: 'closed', limit: 1, window: '1h' }] }],
    });

    // A limiter on a store that is closed already is refused when it is made.
    store.close();
    const response = await site.send();

    await site.close();
    expect([response.status, site.errors]).toEqual([503, []]);
    // In memory or before, because a process emits each warning once.
    const warning = expect.objectContaining({ code: 'SLUICE_STORE_CLOSED' }) as object;
    expect(jest.spyOn(process, 'emitWarning')).toHaveBeenCalledWith(expect.any(String), warning);
  });
}
