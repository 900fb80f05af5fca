import type { HeaderFormat } from '@sluice/core';
import { limitFields } from '../express/fields.js';
import { newAddress } from '../visitors.js';
import { siteOf, type World } from '../world.js';

const X_RATELIMIT = {
  'x-ratelimit-limit': '1',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/) as string,
};
const nearlyAnHour = expect.stringMatching(/^3(60[01]|5\d\d)$/) as string;

/** The fields of a policy of one in an hour, after its first request. */
const dialects: readonly [headers: readonly HeaderFormat[], fields: object][] = [
  [['x-ratelimit'], X_RATELIMIT],
  [
    ['draft-11'],
    {
      'ratelimit-policy': '"told-1";q=1;w=3600',
      ratelimit: expect.stringMatching(/^"told-1";r=0;t=3(60[01]|5\d\d)$/) as string,
    },
  ],
  [
    ['draft-7'],
    {
      'ratelimit-policy': '1;w=3600',
      ratelimit: expect.stringMatching(/^limit=1, remaining=0, reset=3(60[01]|5\d\d)$/) as string,
    },
  ],
  [
    ['draft-6'],
    {
      'ratelimit-policy': '1;w=3600',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': nearlyAnHour,
    },
  ],
  [
    ['x-ratelimit', 'draft-11'],
    {
      ...X_RATELIMIT,
      'ratelimit-policy': '"told-4";q=1;w=3600',
      ratelimit: expect.stringMatching(/^"told-4";r=0;t=3(60[01]|5\d\d)$/) as string,
    },
  ],
  [[], {}],
];

export function headers(world: World): void {
  describe('headers', () => {
    const site = siteOf(world, () => ({
      routes: [
        ...dialects.map(([told], index) => ({
          path: `/told/${index}`,
          limits: [
            { name: `told-${index}`, algorithm: 'fixed-window', limit: 1, window: '1h', headers: told } as const,
          ],
        })),
        {
          path: '/status/204',
          limits: [{ name: 'empty', limit: 5, window: '1h' }],
          handle: () => ({ status: 204, text: '' }),
        },
        {
          path: '/status/404',
          limits: [{ name: 'missing', limit: 5, window: '1h' }],
          handle: () => ({ status: 404, text: 'missing' }),
        },
        {
          path: '/status/500',
          limits: [{ name: 'broken', limit: 5, window: '1h' }],
          handle: () => ({ status: 500, text: 'broken' }),
        },
        { path: '/unlimited' },
      ],
    }));

    it.each(dialects.map(([told, fields], index) => ({ dialect: told.join(' and ') || 'no dialect', fields, index })))(
      'are those of $dialect, on what is admitted and on what is denied',
      async ({ fields, index }) => {
        const [admitted, denied] = await site.askTimes(2, { path: `/told/${index}`, from: newAddress() });

        expect(admitted!.status).toBe(200);
        expect(limitFields(admitted!)).toEqual(fields);
        expect(denied!.status).toBe(429);
        expect(limitFields(denied!)).toEqual({ ...fields, 'retry-after': nearlyAnHour });
      },
    );

    it('are written once each', async () => {
      const { names } = await site.ask({ path: '/told/4', from: newAddress() });

      const own = names.map((name) => name.toLowerCase()).filter((name) => name.includes('ratelimit'));
      expect(own.toSorted()).toEqual([
        'ratelimit',
        'ratelimit-policy',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
      ]);
    });

    it('tell when to come back in seconds of the clock, not before it helps', async () => {
      const before = Math.floor(Date.now() / 1_000);

      const [, denied] = await site.askTimes(2, { path: '/told/0', from: newAddress() });

      const reset = Number(denied!.headers['x-ratelimit-reset']);
      const wait = Number(denied!.headers['retry-after']);
      expect(reset).toBeGreaterThanOrEqual(before + wait);
      expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + wait + 1);
    });

    it('are there whatever the handler answers', async () => {
      const from = newAddress();

      const answers = [];
      for (const status of [204, 404, 500]) answers.push(await site.ask({ path: `/status/${status}`, from }));

      expect(answers.map(({ status, headers: told }) => [status, told['x-ratelimit-remaining']])).toEqual([
        [204, '4'],
        [404, '4'],
        [500, '4'],
      ]);
    });

    it('can be read by scripts of other origins', async () => {
      const question = { path: '/told/4', from: newAddress(), headers: { Origin: 'https://a.example' } };

      const [admitted, denied] = await site.askTimes(2, question);

      const fields = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit';
      expect(sorted(admitted!.headers['access-control-expose-headers'])).toEqual(sorted(fields));
      expect(sorted(denied!.headers['access-control-expose-headers'])).toEqual(sorted(`${fields}, Retry-After`));
    });

    it('are not there where nothing is limited', async () => {
      const answer = await site.ask({ path: '/unlimited', from: newAddress() });

      expect([answer.status, limitFields(answer)]).toEqual([200, {}]);
    });
  });
}

function sorted(list: string | undefined): string[] {
  return (list ?? '').toLowerCase().split(', ').toSorted();
}
