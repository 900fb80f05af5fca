import { byIp, createLimiter, type HttpRequest, type Limiter, type LimiterOptions } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { statusesOf } from '../../support/responses.js';
import { signal } from '../../support/signal.js';
import { until } from '../../support/until.js';
import { served } from '../stack.js';
import { siteOf, type World } from '../world.js';

const STATUSES = [200, 401, 204, 500];

type Path = '/failures' | '/successes' | '/all' | '/none' | '/two-tiers';

const rules: Record<Path, (status: number, request: HttpRequest) => boolean | Promise<boolean>> = {
  '/failures': (status) => status < 400,
  '/successes': async (status) => status >= 400,
  '/all': (_status, { headers }) => headers?.['x-keep'] === undefined,
  '/none': () => {
    throw new Error('mine');
  },
  '/two-tiers': () => true,
};

export function refunds(world: World): void {
  describe('refundWhen', () => {
    let limiters: Readonly<Record<Path | '/aborted', Limiter<HttpRequest>>>;
    const [reached, finished] = [signal(), signal()];
    const checked: number[] = [];
    const site = siteOf(world, (store) => {
      const make = (options: object) => createLimiter({ store, ...options } as LimiterOptions<HttpRequest>);
      const hour = { limit: 10, window: '1h', key: byIp() };
      limiters = {
        '/failures': make({ ...hour, name: 'failures' }),
        '/successes': make({ ...hour, name: 'successes' }),
        '/all': make({ ...hour, name: 'all', limit: 1 }),
        '/none': make({ ...hour, name: 'none' }),
        '/aborted': make({ ...hour, name: 'aborted' }),
        '/two-tiers': make({
          tiers: [
            { ...hour, name: 'units', limit: 100, cost: 7 },
            { ...hour, name: 'requests' },
          ],
        }),
      };
      return {
        routes: [
          ...Object.entries(rules).flatMap(([path, refundWhen]) =>
            STATUSES.map((status) => ({
              path: `${path}/${status}`,
              limits: [{ limiter: limiters[path as Path], refundWhen }],
              handle: () => ({ status, text: status === 204 ? '' : 'answered' }),
            })),
          ),
          {
            path: '/aborted',
            limits: [{ limiter: limiters['/aborted'], refundWhen: (status: number) => checked.push(status) > 0 }],
            async handle({ request }) {
              reached.give();
              await until(() => request.socket?.destroyed === true);
              setImmediate(() => finished.give());
              return served();
            },
          },
        ],
      };
    });
    const spent = async (path: keyof typeof limiters, ip: string) => {
      const inspections = await limiters[path].inspect({ ip });
      return inspections.map(({ outcome }) => outcome.limit - outcome.remaining);
    };
    const sendEach = async (path: Path, from: string) =>
      statusesOf(await site.sendEach(STATUSES.map((status) => ({ path: `${path}/${status}`, from }))));

    it.each([
      ['/failures', 2],
      ['/successes', 2],
    ] as const)('refunds by the status of the response: %s', async (path, expected) => {
      const from = newAddress();

      const statuses = await sendEach(path, from);

      expect(statuses).toEqual(STATUSES);
      await until(async () => (await spent(path, from))[0] === expected);
    });

    it('refunds the cost of every tier', async () => {
      const from = newAddress();

      await sendEach('/two-tiers', from);

      await until(async () => (await spent('/two-tiers', from)).every((units) => units === 0));
    });

    it('refunds nothing for a denied request', async () => {
      const from = newAddress();
      const kept = await site.send({ path: '/all/200', from, headers: { 'X-Keep': 'yes' } });

      const denied = await site.sendTimes(3, { path: '/all/200', from });

      expect(statusesOf([kept, ...denied])).toEqual([200, 429, 429, 429]);
      expect(await spent('/all', from)).toEqual([1]);
    });

    it('changes no response and refunds nothing when it throws', async () => {
      const from = newAddress();

      const statuses = await sendEach('/none', from);

      expect([statuses, await spent('/none', from), site.errors]).toEqual([STATUSES, [4], []]);
    });

    it('refunds nothing to a client that disconnected before the response', async () => {
      const from = newAddress();
      const request = site.start({ path: '/aborted', from });
      request.on('error', () => undefined);
      await reached.given;

      request.destroy();
      await finished.given;
      const after = await site.send({ path: '/all/200', from });

      expect([after.status, checked, await spent('/aborted', from)]).toEqual([200, [], [1]]);
    });
  });
}
