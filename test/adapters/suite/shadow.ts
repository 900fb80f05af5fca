import type { Visit } from '../adapter.js';
import { membersOf, statusesOf } from '../express/fields.js';
import { left } from '../told.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const tell = ({ decision }: Visit) => ({
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
          handle: tell,
        },
        { path: '/alone', limits: [{ name: 'alone', limit: 1, window: '1h', mode: 'shadow' }], handle: tell },
      ],
    }));

    it('denies nobody, and is told to nobody but the handler', async () => {
      const answers = await site.askTimes(4, { path: '/', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
      expect(left(answers)).toEqual([2, 1, 0, 0]);
      for (const answer of answers) {
        expect(membersOf(answer, 'ratelimit-policy')).toEqual([{ name: 'enforced', q: 3, w: 3_600 }]);
        expect(membersOf(answer, 'ratelimit')).toMatchObject([{ name: 'enforced' }]);
      }
      expect(answers.slice(0, 3).map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
        [{ tier: 'tried', allowed: true, tried: true }, { tier: 'enforced' }],
        [{ tier: 'tried', allowed: false, tried: true }, { tier: 'enforced' }],
        [{ tier: 'tried', allowed: false, tried: true }, { tier: 'enforced' }],
      ]);
      expect(answers[3]!.text).not.toContain('tried');
    });

    it('alone leaves requests without any headers', async () => {
      const answers = await site.askTimes(3, { path: '/alone', from: newAddress() });

      expect(statusesOf(answers)).toEqual([200, 200, 200]);
      expect(left(answers)).toEqual([undefined, undefined, undefined]);
      expect(answers.map(({ text }) => JSON.parse(text) as unknown)).toMatchObject([
        [{ allowed: true }],
        [{ allowed: false }],
        [{ allowed: false }],
      ]);
    });
  });
}
