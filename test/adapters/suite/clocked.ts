import { memoryStore, type HeaderFormat, type HttpRequest } from '@sluice/http';
import { fakeClock } from '@sluice/testing';
import { newAddress } from '../../support/identities.js';
import { limitFields, statusesOf } from '../../support/responses.js';
import { openSite, siteOf, type World } from '../world.js';
import { CAPACITY, policies } from './policies.js';

/** The headers of two tiers at 2030-01-01T00:00:00Z: after one request, when one tier is spent, and when it denies. */
const BYTES: readonly [dialect: HeaderFormat, first: object, last: object][] = [
  [
    'x-ratelimit',
    { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1893456060' },
    { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1893456060' },
  ],
  [
    'draft-11',
    {
      'ratelimit-policy': '"bucket";q=10;w=360, "minute";q=2;w=60',
      ratelimit: '"bucket";r=9;t=324, "minute";r=1;t=60',
    },
    {
      'ratelimit-policy': '"bucket";q=10;w=360, "minute";q=2;w=60',
      ratelimit: '"bucket";r=8;t=288, "minute";r=0;t=60',
    },
  ],
  [
    'draft-7',
    { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=1, reset=60' },
    { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=0, reset=60' },
  ],
  [
    'draft-6',
    { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' },
    { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' },
  ],
  [
    'openai',
    {
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-limit-tokens': '10',
      'x-ratelimit-remaining-tokens': '9',
      'x-ratelimit-reset-tokens': '36s',
    },
    {
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m0s',
      'x-ratelimit-limit-tokens': '10',
      'x-ratelimit-remaining-tokens': '8',
      'x-ratelimit-reset-tokens': '1m12s',
    },
  ],
];

/** Scenarios on a clock that the test moves, so in memory only. */
export function clocked(world: World): void {
  describe('on a clock of the test', () => {
    const clock = fakeClock(Date.UTC(2030, 0, 1));
    const tier = { algorithm: 'fixed-window', limit: 1 } as const;
    const site = siteOf({ ...world, newStore: () => memoryStore({ clock }) }, () => ({
      routes: [
        ...policies.map(([name, policy]) => ({ path: `/${name}`, limits: [{ tiers: [{ ...policy, name }] }] })),
        { path: '/year', limits: [{ ...tier, name: 'year', window: '365d' }] },
        { path: '/tick', limits: [{ ...tier, name: 'tick', window: '10ms' }] },
        { path: '/bucket', limits: [{ name: 'refill', algorithm: 'token-bucket', limit: 2, window: '1h' }] },
        { path: '/tight', limits: [{ name: 'tight', limit: 1, window: '30s' }] },
      ],
    }));

    let dateNow: jest.SpyInstance;

    beforeEach(() => {
      dateNow = jest.spyOn(Date, 'now').mockImplementation(() => clock());
    });

    afterEach(() => dateNow.mockRestore());

    describe.each(policies.map(([name]) => name))('a limit by %s', (name) => {
      const path = `/${name}`;

      it('C24 admits after Retry-After, and denies a second earlier', async () => {
        const request = { path, from: newAddress() };
        clock.advance('7m');
        await site.sendTimes(CAPACITY, request);
        const wait = Number((await site.send(request)).headers['retry-after']);

        clock.advance((wait - 1) * 1_000);
        const early = await site.send(request);
        clock.advance(1_000);
        const late = await site.send(request);

        expect(wait).toBeGreaterThan(1);
        expect(statusesOf([early, late])).toEqual([429, 200]);
      });

      it('C31 lowers Retry-After as time passes, however many requests it denies', async () => {
        const request = { path, from: newAddress() };
        await site.sendTimes(CAPACITY, request);

        const waits: number[] = [];
        for (let denials = 0; denials < 10; denials += 1) {
          waits.push(Number((await site.send(request)).headers['retry-after']));
          clock.advance('10s');
        }

        expect(waits).toEqual(waits.map((_wait, index) => waits[0]! - index * 10));
      });

      if (name === 'fixed-window') return;

      it('C41 admits at most one unit more than the limit around the edge of a window', async () => {
        const request = { path, from: newAddress() };

        clock.advance(3_599_999);
        const before = await site.sendTimes(2 * CAPACITY, request);
        clock.advance(2);
        const after = await site.sendTimes(2 * CAPACITY, request);

        const admitted = statusesOf([...before, ...after]).filter((status) => status === 200);
        expect(admitted.length).toBeLessThanOrEqual(CAPACITY + 1);
      });
    });

    it('C22 sends a Retry-After of at least a second, because clients read 0 as at once', async () => {
      const [, denied] = await site.sendTimes(2, { path: '/tick', from: newAddress() });

      expect(denied!.headers['retry-after']).toBe('1');
    });

    it('C22 C24 sends the whole wait of a year in Retry-After', async () => {
      const request = { path: '/year', from: newAddress() };
      await site.send(request);

      const denied = await site.send(request);
      const wait = Number(denied.headers['retry-after']);
      clock.advance((wait - 1) * 1_000);
      const early = await site.send(request);
      clock.advance(1_000);
      const after = await site.send(request);

      expect(wait).toBeGreaterThan(300 * 86_400);
      expect(statusesOf([denied, early, after])).toEqual([429, 429, 200]);
    });

    it('C34 C35 sends an X-RateLimit-Reset from which octokit computes a wait of up to 2 seconds more', async () => {
      const [, denied] = await site.sendTimes(2, { path: '/tight', from: newAddress() });

      const { 'x-ratelimit-reset': reset, 'retry-after': retryAfter } = denied!.headers;
      // The code of octokit's throttling: a decimal or text becomes 0.
      const wait = Math.max(Math.ceil((~~Number(reset) * 1_000 - clock()) / 1_000) + 1, 0);
      expect(reset).toMatch(/^\d{10}$/);
      expect(wait).toBeGreaterThanOrEqual(Number(retryAfter));
      expect(wait).toBeLessThanOrEqual(Number(retryAfter) + 2);
    });

    it('C34 sends the time of the next unit when none remains, and else the time when all are back', async () => {
      const responses = await site.sendTimes(2, { path: '/bucket', from: newAddress() });

      const seconds = Math.ceil(clock() / 1_000);
      expect(responses.map(({ headers }) => Number(headers['x-ratelimit-reset']) - seconds)).toEqual([1_800, 1_800]);
    });

    it.each(BYTES)('C37 C38 C53 sends the exact bytes of %s', async (dialect, first, last) => {
      const still = fakeClock(Date.UTC(2030, 0, 1));
      dateNow.mockImplementation(() => still());
      const fresh = await openSite(world.stack, {
        store: memoryStore({ clock: still }),
        routes: [
          {
            path: '/',
            limits: [
              {
                headers: [dialect],
                tiers: [
                  { name: 'minute', algorithm: 'fixed-window', limit: 2, window: '1m' },
                  { name: 'bucket', algorithm: 'token-bucket', limit: 100, window: '1h', burst: 10, unit: 'tokens' },
                ],
              },
            ],
          },
        ],
      });

      const responses = await fresh.sendTimes(3);

      await fresh.close();
      const wait = { 'retry-after': '60', ...(dialect === 'openai' && { 'retry-after-ms': '60000' }) };
      expect(responses.map(limitFields)).toEqual([first, last, { ...last, ...wait }]);
    });

    it('C52 keeps at most maxKeys keys, and keeps denying a client that was denied', async () => {
      const store = memoryStore({ maxKeys: 16 });
      const key = ({ ip, headers }: HttpRequest) => String(headers?.['x-tenant'] ?? ip);
      const full = await openSite(world.stack, {
        store,
        routes: [{ path: '/', limits: [{ name: 'hour', limit: 1, window: '1h', key }] }],
      });
      await full.send();

      const sizes: number[] = [];
      for (let tenant = 0; tenant < 160; tenant += 1) {
        await full.send({ headers: { 'X-Tenant': `${tenant}` } });
        sizes.push(store.size);
      }
      const denied = await full.send();

      await full.close();
      expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
      expect(denied.status).toBe(429);
    });
  });
}
