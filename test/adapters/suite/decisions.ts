import { createLimiter, byIp, type HttpRequest } from '@sluice/core';
import type { Visit } from '../adapter.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

/** What a handler can tell of its decision. */
const tell = ({ decision, request }: Visit) => ({
  status: 200,
  text: JSON.stringify({
    ip: request.ip,
    allowed: decision?.allowed,
    reason: decision?.reason,
    source: decision?.source,
    left: decision?.outcomes.map(({ tier, remaining }) => [tier, remaining]),
  }),
});

export function decisions(world: World): void {
  describe('a decision', () => {
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
            handle: tell,
          },
          { path: '/two', limits: [{ limiter: limiterOf('first') }, { limiter: limiterOf('last') }], handle: tell },
          { path: '/skipped', limits: [{ name: 'skipped', limit: 5, window: '1h', skip: () => true }], handle: tell },
          { path: '/unlimited', handle: tell },
        ],
      };
    });
    const told = async (path: string, from = newAddress()) =>
      JSON.parse((await site.ask({ path, from })).text) as Record<string, unknown>;

    it('is there for the handler', async () => {
      const from = newAddress();

      const decision = await told('/tiers', from);

      expect(decision).toMatchObject({
        ip: from,
        allowed: true,
        reason: 'ok',
        left: [
          ['day', 8],
          ['hour', 4],
        ],
      });
      expect(['memory', 'redis']).toContain(decision['source']);
    });

    it('is the last one where several were made', async () => {
      expect(await told('/two')).toMatchObject({ left: [['last', 4]] });
    });

    it.each(['/skipped', '/unlimited'])('is not there where none was made: %s', async (path) => {
      expect(await told(path)).toEqual({ ip: expect.any(String) as string });
    });
  });
}
