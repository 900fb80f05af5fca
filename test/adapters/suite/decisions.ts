import { createLimiter, byIp, type HttpRequest } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import type { Call } from '../stack.js';
import { siteOf, type World } from '../world.js';

/** What a handler reads of its decision. */
const show = ({ decision, request }: Call) => ({
  status: 200,
  text: JSON.stringify({
    ip: request.ip,
    allowed: decision?.allowed,
    reason: decision?.reason,
    source: decision?.source,
    remaining: decision?.outcomes.map(({ tier, remaining }) => [tier, remaining]),
  }),
});

export function decisions(world: World): void {
  describe('the decision of a handler', () => {
    const site = siteOf(world, (store) => {
      const limiterOf = (name: string) =>
        createLimiter<HttpRequest>({ store, name, limit: 5, window: '1h', key: byIp() });
      return {
        routes: [
          {
            path: '/tiers',
            limits: [
              {
                tiers: [
                  { name: 'hour', limit: 5, window: '1h' },
                  { name: 'day', limit: 9, window: '1d' },
                ],
              },
            ],
            handle: show,
          },
          { path: '/two', limits: [{ limiter: limiterOf('first') }, { limiter: limiterOf('last') }], handle: show },
          { path: '/skipped', limits: [{ name: 'skipped', limit: 5, window: '1h', skip: () => true }], handle: show },
          { path: '/unlimited', handle: show },
        ],
      };
    });
    const shownAt = async (path: string, from = newAddress()) =>
      JSON.parse((await site.send({ path, from })).text) as Record<string, unknown>;

    it('has the outcomes of all tiers', async () => {
      const from = newAddress();

      expect(await shownAt('/tiers', from)).toEqual({
        ip: from,
        allowed: true,
        reason: 'ok',
        source: world.redis ? 'redis' : 'memory',
        remaining: [
          ['day', 8],
          ['hour', 4],
        ],
      });
    });

    it('is the last of several', async () => {
      expect(await shownAt('/two')).toMatchObject({ remaining: [['last', 4]] });
    });

    it.each(['/skipped', '/unlimited'])('is absent when nothing was counted: %s', async (path) => {
      expect(await shownAt(path)).toEqual({ ip: expect.any(String) as string });
    });
  });
}
