import { newAddress } from '../../support/identities.js';
import { membersOf, remainingOf, statusesOf } from '../../support/responses.js';
import type { Call } from '../stack.js';
import { siteOf, type World } from '../world.js';

const show = ({ decision }: Call) => ({
  status: 200,
  text: JSON.stringify(decision?.outcomes.map(({ tier, allowed, shadow: tried }) => ({ tier, allowed, tried }))),
});

export function shadow(world: World): void {
  describe('a shadow tier', () => {
    const site = siteOf(world, () => ({
      routes: [
        {
          path: '/',
          limits: [
            {
              headers: ['x-ratelimit', 'draft-11'],
              tiers: [
                { name: 'tried', limit: 1, window: '1d', mode: 'shadow' },
                { name: 'enforced', limit: 3, window: '1h' },
              ],
            },
          ],
          handle: show,
        },
        { path: '/alone', limits: [{ name: 'alone', limit: 1, window: '1h', mode: 'shadow' }], handle: show },
      ],
    }));

    it('denies no request, and appears only in the decision', async () => {
      const responses = await site.sendTimes(4, { path: '/', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 200, 200, 429]);
      expect(remainingOf(responses)).toEqual([2, 1, 0, 0]);
      for (const response of responses) {
        expect(membersOf(response, 'ratelimit-policy')).toEqual([{ name: 'enforced', q: 3, w: 3_600 }]);
        expect(membersOf(response, 'ratelimit')).toMatchObject([{ name: 'enforced' }]);
      }
      expect(responses.slice(0, 3).map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
        [{ tier: 'tried', allowed: true, tried: true }, { tier: 'enforced' }],
        [{ tier: 'tried', allowed: false, tried: true }, { tier: 'enforced' }],
        [{ tier: 'tried', allowed: false, tried: true }, { tier: 'enforced' }],
      ]);
      expect(responses[3]!.text).not.toContain('tried');
    });

    it('sends no fields when it is the only tier', async () => {
      const responses = await site.sendTimes(3, { path: '/alone', from: newAddress() });

      expect(statusesOf(responses)).toEqual([200, 200, 200]);
      expect(remainingOf(responses)).toEqual([undefined, undefined, undefined]);
      expect(responses.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
        [{ allowed: true }],
        [{ allowed: false }],
        [{ allowed: false }],
      ]);
    });
  });
}
