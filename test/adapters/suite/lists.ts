import { byIp } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { limitFields, remainingOf } from '../../support/responses.js';
import { siteOf, type World } from '../world.js';

export function lists(world: World): void {
  describe('lists of addresses', () => {
    let handled = 0;
    const blocked = ipList({ name: 'blocked', seed: ['203.0.113.0/24'] });
    const site = siteOf(world, () => ({
      routes: [
        {
          path: '/',
          limits: [
            {
              name: 'lists',
              key: byIp(),
              limit: 5,
              window: '1h',
              deny: blocked,
              allow: ['203.0.113.9', '192.0.2.0/24'],
            },
          ],
          handle: () => {
            handled += 1;
            return { status: 200, text: 'served' };
          },
        },
        {
          method: 'OPTIONS',
          path: '/preflight',
          limits: [{ name: 'preflight', limit: 1, window: '1h', deny: blocked }],
          handle: () => {
            handled += 1;
            return { status: 200, text: 'served' };
          },
        },
      ],
    }));

    it('denies a preflight of a denied address, and counts no other', async () => {
      const headers = { origin: 'https://b.example', 'access-control-request-method': 'PUT' };
      const preflight = { method: 'OPTIONS', path: '/preflight', headers };
      const before = handled;

      const denied = await site.send({ ...preflight, from: '203.0.113.7' });
      const others = await site.sendTimes(2, { ...preflight, from: '198.51.100.7' });

      expect([denied, ...others].map(({ status }) => status)).toEqual([403, 200, 200]);
      expect(handled - before).toBe(2);
    });

    it('denies with 403 and a problem, and counts nothing', async () => {
      const before = handled;

      const denied = await site.send({ from: '203.0.113.7' });

      expect([denied.status, handled - before]).toEqual([403, 0]);
      expect(denied.headers['content-type']).toContain('application/problem+json');
      expect(denied.headers['cache-control']).toBe('no-store');
      expect(JSON.parse(denied.text)).toEqual({
        type: 'about:blank',
        title: 'Forbidden',
        status: 403,
        detail: 'Requests from this address are not accepted.',
      });
      expect(limitFields(denied)).toEqual({});
    });

    it('admits allowed addresses without a limit, also where they are denied', async () => {
      const replies = await site.sendTimes(7, { from: '203.0.113.9' });

      expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
      expect(limitFields(replies[0]!)).toEqual({});
    });

    it('denies an address from the moment that it is added', async () => {
      const before = await site.send({ from: '198.51.100.200' });
      await blocked.add('198.51.100.200');
      const after = await site.send({ from: '198.51.100.200' });
      await blocked.remove('198.51.100.200');
      const again = await site.send({ from: '198.51.100.200' });

      expect([before.status, after.status, again.status]).toEqual([200, 403, 200]);
      expect([...remainingOf([before, again])]).toEqual([4, 3]);
    });
  });
  // Its application alone knows the peer.
  if (world.stack.name === 'the web gate') return;

  describe('a list of the own network, without a trusted proxy', () => {
    const site = siteOf(world, () => ({
      behindProxy: false,
      routes: [
        {
          path: '/',
          limits: [{ name: 'own network', key: byIp(), limit: 1, window: '1h', allow: ['127.0.0.0/8', '::1'] }],
        },
      ],
    }));

    it('frees its clients, and none that a proxy of it has forwarded', async () => {
      const own = await site.sendTimes(2);
      const forwarded = [await site.send({ from: '203.0.113.7' }), await site.send({ from: '203.0.113.8' })];

      expect([...own, ...forwarded].map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    });
  });
}
