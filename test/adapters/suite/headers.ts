import type { HeaderFormat } from '@sluice/http';
import { newAddress } from '../../support/identities.js';
import { limitFields, membersOf, remainingOf } from '../../support/responses.js';
import type { Reply } from '../stack.js';
import { siteOf, type World } from '../world.js';

/** The fields of each dialect. The scenarios on a clock have their bytes. */
const dialects: readonly [headers: readonly HeaderFormat[], fields: readonly string[]][] = [
  [['x-ratelimit'], ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']],
  [
    ['x-ratelimit', 'draft-11'],
    ['ratelimit', 'ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
  ],
  [['draft-7'], ['ratelimit', 'ratelimit-policy']],
  [['draft-6'], ['ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset']],
  [['openai'], ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests']],
  [[], []],
];

const windows = [
  [500, 1],
  [1_500, 2],
  [60_000, 60],
] as const;

const replies: Readonly<Record<string, () => Reply>> = {
  'no content': () => ({ status: 204, text: '' }),
  'not modified': () => ({ status: 304, text: '' }),
  'a client error': () => ({ status: 400, text: 'bad' }),
  'a missing page': () => ({ status: 404, text: 'missing' }),
  'a server error': () => ({ status: 500, text: 'broken' }),
};

export function headers(world: World): void {
  describe('headers', () => {
    const site = siteOf(world, () => ({
      routes: [
        ...dialects.map(([names, _fields], index) => ({
          path: `/dialect/${index}`,
          limits: [
            { name: `hour-${index}`, algorithm: 'fixed-window', limit: 1, window: '1h', headers: names } as const,
          ],
        })),
        ...windows.map(([window]) => ({
          path: `/window/${window}`,
          limits: [{ name: `of-${window}`, limit: 100, window, headers: ['draft-11'] } as const],
        })),
        ...Object.entries(replies).map(([name, handle], index) => ({
          path: `/reply/${index}`,
          limits: [{ name: name.replaceAll(' ', '-'), limit: 5, window: '1h' }] as const,
          handle,
        })),
        {
          path: '/throw',
          limits: [{ name: 'throw', limit: 5, window: '1h' }],
          handle: async () => {
            throw new Error('broken');
          },
        },
        { path: '/unlimited' },
      ],
    }));

    it.each(dialects.map(([names, fields], index) => ({ names: names.join(' and ') || 'nothing', fields, index })))(
      'C9 C12 C18 C20 C53 are exactly those of $names, once each, on admitted and on denied requests',
      async ({ names: dialect, fields, index }) => {
        const responses = await site.sendTimes(2, { path: `/dialect/${index}`, from: newAddress() });

        const waits = dialect === 'openai' ? ['retry-after', 'retry-after-ms'] : ['retry-after'];
        const lines = responses.map(({ names }) =>
          names.map((name) => name.toLowerCase()).filter((name) => /ratelimit|retry/.test(name)),
        );
        expect(responses.map(({ status, trailers }) => [status, trailers])).toEqual([
          [200, {}],
          [429, {}],
        ]);
        expect(lines.map((names) => names.toSorted())).toEqual([fields, [...fields, ...waits].toSorted()]);
      },
    );

    it.each(windows)('C5 report a window of %d ms as w=%d', async (window, seconds) => {
      const response = await site.send({ path: `/window/${window}`, from: newAddress() });

      expect(membersOf(response, 'ratelimit-policy')).toEqual([{ name: `of-${window}`, q: 100, w: seconds }]);
    });

    it('C34 C36 report the end of Retry-After in seconds since 1970, by the clock of Date', async () => {
      const before = Math.floor(Date.now() / 1_000);

      const [, denied] = await site.sendTimes(2, { path: '/dialect/0', from: newAddress() });

      const { 'x-ratelimit-reset': reset, 'retry-after': wait, date } = denied!.headers;
      expect(Number(reset)).toBeGreaterThanOrEqual(before + Number(wait));
      expect(Number(reset)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + Number(wait) + 1);
      const drift = Number(reset) - Number(wait) - Date.parse(date!) / 1_000;
      expect(drift).toBeGreaterThanOrEqual(-1);
      expect(drift).toBeLessThanOrEqual(2);
    });

    it.each(Object.keys(replies))('C19 are on a response with %s', async (name) => {
      const index = Object.keys(replies).indexOf(name);

      const response = await site.send({ path: `/reply/${index}`, from: newAddress() });

      expect(response.status).toBe(replies[name]!().status);
      expect(remainingOf([response])).toEqual([4]);
    });

    it('C19 are on the response to an error of the handler', async () => {
      const response = await site.send({ path: '/throw', from: newAddress() });

      expect(response.status).toBe(500);
      expect(remainingOf([response])).toEqual([4]);
    });

    it('C33 are exposed to scripts of other origins', async () => {
      const request = { path: '/dialect/1', from: newAddress(), headers: { Origin: 'https://a.example' } };

      const [admitted, denied] = await site.sendTimes(2, request);

      const fields = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit';
      expect(sorted(admitted!.headers['access-control-expose-headers'])).toEqual(sorted(fields));
      expect(sorted(denied!.headers['access-control-expose-headers'])).toEqual(sorted(`${fields}, Retry-After`));
    });

    it('are absent without a limit', async () => {
      const response = await site.send({ path: '/unlimited', from: newAddress() });

      expect([response.status, limitFields(response)]).toEqual([200, {}]);
    });
  });
}

function sorted(list: string | undefined): string[] {
  return (list ?? '').toLowerCase().split(', ').toSorted();
}
