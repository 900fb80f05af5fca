import { redisStore, type Store } from '@sluice/core';
import { closedPort } from '../../redis/wire.js';
import { limitFields, statusesOf } from '../../express/fields.js';
import { served } from '../adapter.js';
import { openSite, type Site } from '../site.js';
import { newAddress } from '../visitors.js';
import type { World } from '../world.js';

export function outage(world: World): void {
  describe('a store that cannot answer', () => {
    let dead: Store;
    let site: Site;
    let handled = 0;

    beforeAll(async () => {
      dead = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
      const handle = () => {
        handled += 1;
        return served();
      };
      const hour = { limit: 5, window: '1h', headers: ['x-ratelimit', 'draft-11'] } as const;
      site = await openSite(world.adapter, {
        store: world.newStore(),
        routes: [
          { path: '/', limits: [{ ...hour, name: 'hour', store: dead }], handle },
          {
            path: '/second',
            limits: [
              { ...hour, name: 'alive' },
              { ...hour, name: 'dead', store: dead },
            ],
            handle,
          },
          { path: '/refund', limits: [{ ...hour, name: 'refund', store: dead, refundWhen: () => true }], handle },
          { path: '/alive', limits: [{ ...hour, name: 'besides' }] },
        ],
      });
    });

    afterAll(async () => {
      await site.close();
      await dead.close();
    });

    it('is 503 with Retry-After, and nothing is said of limits, of the store or of anyone', async () => {
      const answer = await site.ask({ path: '/', from: newAddress() });

      expect([answer.status, answer.reason]).toEqual([503, 'Service Unavailable']);
      expect(limitFields(answer)).toEqual({ 'retry-after': '1' });
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'application/problem+json; charset=utf-8',
      });
      expect(JSON.parse(answer.text)).toEqual({
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        title: 'Request cannot be satisfied due to temporary server capacity constraints',
        status: 503,
        detail: 'The limits of this service cannot be checked at the moment. Retry in 1 second.',
      });
    });

    it('is 503 as text for who accepts nothing else, and no body for HEAD', async () => {
      const text = await site.ask({ path: '/', headers: { Accept: 'text/plain' } });
      const head = await site.ask({ path: '/', method: 'HEAD' });

      expect(statusesOf([text, head])).toEqual([503, 503]);
      expect(text.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(head.text).toBe('');
    });

    it('has what others have counted told beside it', async () => {
      const answer = await site.ask({ path: '/second', from: newAddress() });

      expect(answer.status).toBe(503);
      expect(limitFields(answer)).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '"alive";q=5;w=3600' });
    });

    it('comes to no handler and no error handler, and gives nothing back', async () => {
      handled = 0;

      const answers = [await site.ask({ path: '/' }), await site.ask({ path: '/refund' })];

      expect(statusesOf(answers)).toEqual([503, 503]);
      expect([handled, site.errors]).toEqual([0, []]);
    });

    it('is nothing to limits that count elsewhere', async () => {
      const answer = await site.ask({ path: '/alive', from: newAddress() });

      expect(answer.status).toBe(200);
    });
  });
}
