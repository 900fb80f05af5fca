import type { HttpRequest } from '@sluice/core';
import { limitFields, statusesOf } from '../express/fields.js';
import { left } from '../told.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const PREFLIGHT = {
  method: 'OPTIONS',
  headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PUT' },
} as const;

export function uncounted(world: World): void {
  describe('what is counted', () => {
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

    it('is everything, where a limit stands before all', async () => {
      const answers = await site.askTimes(6, { path: '/', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(left(answers)).toEqual([4, 3, 2, 1, 0, 0]);
    });

    it('is a request to a route with a limit of its own besides, once in either', async () => {
      const question = { path: '/also-here', from: newAddress() };

      const answers = await site.askTimes(3, question);
      const elsewhere = await site.ask({ ...question, path: '/' });

      expect(statusesOf(answers)).toEqual([200, 200, 429]);
      expect(left(answers)).toEqual([1, 0, 0]);
      // Both have functions of their own, so that they decide one after the other everywhere.
      expect(left([elsewhere])).toEqual([1]);
    });

    it(`is ${world.adapter.countsUnknownPaths ? 'also' : 'not'} what no route answers`, async () => {
      const answers = await site.askTimes(6, { path: '/unknown', from: newAddress() });

      expect(statusesOf(answers)).toEqual(
        world.adapter.countsUnknownPaths ? [404, 404, 404, 404, 404, 429] : [404, 404, 404, 404, 404, 404],
      );
    });

    it('is no preflight of a browser, which is told nothing', async () => {
      const from = newAddress();

      const [preflight] = await site.askTimes(7, { ...PREFLIGHT, path: '/', from });
      const next = await site.ask({ path: '/', from });

      expect([preflight!.status, limitFields(preflight!)]).toEqual([200, {}]);
      expect(left([next])).toEqual([4]);
    });

    it('is any other OPTIONS', async () => {
      const from = newAddress();

      const answers = [
        await site.ask({ path: '/', from, method: 'OPTIONS' }),
        await site.ask({ path: '/', from, method: 'OPTIONS', headers: { Origin: 'https://a.example' } }),
        await site.ask({ ...PREFLIGHT, path: '/', from, method: 'GET' }),
      ];

      expect(left(answers)).toEqual([4, 3, 2]);
    });

    it('is nothing that a function skips, now or later', async () => {
      const from = newAddress();
      const headers = { 'X-Inside': 'yes' };

      const skipped = [
        ...(await site.askTimes(6, { path: '/', from, headers })),
        ...(await site.askTimes(3, { path: '/also-here', from, headers })),
      ];
      const counted = await site.ask({ path: '/', from });

      expect(new Set(statusesOf(skipped))).toEqual(new Set([200]));
      expect(skipped.map(limitFields)).toEqual(skipped.map(() => ({})));
      expect(left([counted])).toEqual([4]);
    });
  });
}
