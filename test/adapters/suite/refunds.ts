import { byIp, createLimiter, type HttpRequest, type Limiter, type LimiterOptions } from '@sluice/core';
import { statusesOf } from '../express/fields.js';
import { until } from '../until.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const STATUSES = [200, 401, 204, 500];

export function refunds(world: World): void {
  describe('refundWhen', () => {
    let limiters: Readonly<Record<'/failures' | '/successes' | '/all' | '/two-tiers', Limiter<HttpRequest>>>;
    const site = siteOf(world, (store) => {
      const make = (options: object) => createLimiter({ store, ...options } as LimiterOptions<HttpRequest>);
      const hour = { limit: 10, window: '1h', key: byIp() };
      limiters = {
        '/failures': make({ ...hour, name: 'failures' }),
        '/successes': make({ ...hour, name: 'successes' }),
        '/all': make({ ...hour, name: 'all', limit: 1 }),
        '/two-tiers': make({
          tiers: [
            { ...hour, name: 'units', limit: 100, cost: 7 },
            { ...hour, name: 'requests' },
          ],
        }),
      };
      const rules: Record<keyof typeof limiters, (status: number, request: HttpRequest) => boolean | Promise<boolean>> =
        {
          '/failures': (status) => status < 400,
          '/successes': async (status) => status >= 400,
          '/all': (_status, { headers }) => headers?.['x-keep'] === undefined,
          '/two-tiers': () => true,
        };
      return {
        routes: Object.entries(limiters).flatMap(([path, limiter]) =>
          STATUSES.map((status) => ({
            path: `${path}/${status}`,
            limits: [{ limiter, refundWhen: rules[path as keyof typeof limiters] }],
            handle: () => ({ status, text: status === 204 ? '' : 'answered' }),
          })),
        ),
      };
    });
    const spent = async (path: keyof typeof limiters, ip: string) => {
      const inspections = await limiters[path].inspect({ ip });
      return inspections.map(({ outcome }) => outcome.limit - outcome.remaining);
    };
    const askEach = async (path: keyof typeof limiters, from: string) => {
      const answers = [];
      for (const status of STATUSES) answers.push(await site.ask({ path: `${path}/${status}`, from }));
      return statusesOf(answers);
    };

    it.each([
      ['/failures', 2],
      ['/successes', 2],
    ] as const)('leaves only what it is to be limited counted: %s', async (path, expected) => {
      const from = newAddress();

      const statuses = await askEach(path, from);

      expect(statuses).toEqual(STATUSES);
      await until(async () => (await spent(path, from))[0] === expected);
    });

    it('gives back what each tier took', async () => {
      const from = newAddress();

      await askEach('/two-tiers', from);

      await until(async () => (await spent('/two-tiers', from)).every((units) => units === 0));
    });

    it('is not asked of what was denied, and gives nothing back for it', async () => {
      const from = newAddress();
      const kept = await site.ask({ path: '/all/200', from, headers: { 'X-Keep': 'yes' } });

      const denied = await site.askTimes(3, { path: '/all/200', from });

      expect(statusesOf([kept, ...denied])).toEqual([200, 429, 429, 429]);
      expect(await spent('/all', from)).toEqual([1]);
    });
  });
}
