import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpRequest } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { limitFields, remainingOf, statusesOf } from '../../support/responses.js';
import { openSite, siteOf, type World } from '../world.js';

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PUT' },
} as const;

export function counting(world: World): void {
  describe('a limit for everything', () => {
    const skip = ({ headers }: HttpRequest) => headers?.['x-inside'] === 'yes';
    const site = siteOf(world, () => ({
      everywhere: { name: 'everywhere', limit: 5, window: '1h', skip },
      routes: [
        { path: '/' },
        { path: '/', method: 'OPTIONS' },
        {
          path: '/also-here',
          limits: [{ name: 'also-here', limit: 2, window: '1h', skip: async (request: HttpRequest) => skip(request) }],
        },
      ],
    }));

    it('counts every request', async () => {
      const responses = await site.sendTimes(6, { path: '/', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(remainingOf(responses)).toEqual([4, 3, 2, 1, 0, 0]);
    });

    it('counts in addition to the limit of a route', async () => {
      const request = { path: '/also-here', from: newAddress() };

      const responses = await site.sendTimes(3, request);
      const elsewhere = await site.send({ ...request, path: '/' });

      expect(statusesOf(responses)).toEqual([200, 200, 429]);
      expect(remainingOf(responses)).toEqual([1, 0, 0]);
      // Both have a skip of their own, so no stack decides them together.
      expect(remainingOf([elsewhere])).toEqual([1]);
    });

    const unknown = world.stack.countsUnknownPaths ? 'counts' : 'does not count';
    it(`${unknown} requests without a route`, async () => {
      const responses = await site.sendTimes(6, { path: '/unknown', from: newAddress() });

      expect(statusesOf(responses)).toEqual([404, 404, 404, 404, 404, world.stack.countsUnknownPaths ? 429 : 404]);
    });

    it('C33 does not count a preflight, and sends it no fields', async () => {
      const from = newAddress();

      const [preflight] = await site.sendTimes(7, { ...PREFLIGHT, path: '/', from });
      const next = await site.send({ path: '/', from });

      expect([preflight!.status, limitFields(preflight!)]).toEqual([200, {}]);
      expect(remainingOf([next])).toEqual([4]);
    });

    it('C33 counts any other OPTIONS, and any other request with such headers', async () => {
      const [path, from] = ['/', newAddress()];

      const responses = await site.sendEach([
        { path, from, method: 'OPTIONS' },
        { path, from, method: 'OPTIONS', headers: { Origin: 'https://a.example' } },
        { path, from, method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } },
        { ...PREFLIGHT, path, from, method: 'GET' },
      ]);

      expect(remainingOf(responses)).toEqual([4, 3, 2, 1]);
    });

    it('C43 does not count a request that a function skips, now or later, and sends it no fields', async () => {
      const from = newAddress();
      const headers = { 'X-Inside': 'yes' };

      const skipped = [
        ...(await site.sendTimes(6, { path: '/', from, headers })),
        ...(await site.sendTimes(3, { path: '/also-here', from, headers })),
      ];
      const counted = await site.send({ path: '/', from });

      expect(new Set(statusesOf(skipped))).toEqual(new Set([200]));
      expect(skipped.map(limitFields)).toEqual(skipped.map(() => ({})));
      expect(remainingOf([counted])).toEqual([4]);
    });
  });

  it('C49 counts clients of a Unix socket, which have no address, in one budget', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-socket-'));
    const site = await openSite(world.stack, {
      store: world.newStore(),
      socketPath: join(folder, 'socket'),
      routes: [{ path: '/', limits: [{ name: 'socket', limit: 3, window: '1h' }] }],
    });

    const responses = await site.sendTimes(4);

    await site.close();
    await rm(folder, { recursive: true });
    expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
    expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
    expect(site.errors).toEqual([]);
  });
}
