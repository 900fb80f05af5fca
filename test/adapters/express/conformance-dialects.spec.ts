import { memoryStore, rateLimit, type RateLimitOptions } from '@sluice/express';
import { fakeClock } from '@sluice/core/testing';
import { parseDictionary, parseList } from 'structured-headers';
import { served, versions } from './frameworks.js';
import { limitFields } from './fields.js';
import { siteOpener, type Answer } from './site.js';

/** What octokit's throttling waits for, in seconds: its own code, in which a decimal or a text become 0. */
function octokitWait({ headers }: Answer): number {
  const reset = new Date(~~Number(headers['x-ratelimit-reset']) * 1_000).getTime();
  return Math.max(Math.ceil((reset - Date.now()) / 1_000) + 1, 0);
}

describe.each(versions)('The dialects on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (options: RateLimitOptions) => open(served(express, rateLimit(options)));

  it('C34 X-RateLimit-Reset of a denial is the second in which Retry-After ends, since 1970', async () => {
    const site = await opened({ limit: 1, window: '90s' });
    await site.ask();

    const before = Date.now();
    const { headers } = await site.ask();
    const after = Date.now();

    const reset = headers['x-ratelimit-reset']!;
    expect(reset).toMatch(/^\d{10}$/);
    expect(Number(reset)).toBeGreaterThanOrEqual(Math.ceil(before / 1_000 + Number(headers['retry-after'])));
    expect(Number(reset)).toBeLessThanOrEqual(Math.ceil(after / 1_000 + Number(headers['retry-after'])));
  });

  it('C34 X-RateLimit-Reset is when there is a unit again where none is left, and else when all are back', async () => {
    const site = await opened({ algorithm: 'token-bucket', limit: 2, window: '1h' });

    const before = Date.now() / 1_000;
    const [some, none] = (await site.askEach([{}, {}])).map(({ headers }) => Number(headers['x-ratelimit-reset']));
    const after = Date.now() / 1_000;

    for (const reset of [some, none]) {
      expect(reset).toBeGreaterThanOrEqual(Math.floor(before + 1_800));
      expect(reset).toBeLessThanOrEqual(Math.ceil(after + 1_800));
    }
  });

  it('C34 X-RateLimit-Reset of a cost that never fits is no later than when all is back', async () => {
    const site = await opened({ algorithm: 'token-bucket', limit: 2, window: '1h', cost: () => 3 });

    const { status, headers } = await site.ask();

    expect(status).toBe(422);
    expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
    expect(Number(headers['x-ratelimit-reset'])).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
  });

  it('C35 octokit waits for as long as Retry-After says, and at most two seconds more', async () => {
    const site = await opened({ limit: 1, window: '30s' });
    await site.ask();

    const answer = await site.ask();
    const wait = octokitWait(answer);

    expect(wait).toBeGreaterThanOrEqual(Number(answer.headers['retry-after']));
    expect(wait).toBeLessThanOrEqual(Number(answer.headers['retry-after']) + 2);
  });

  it('C36 Date is there, and is the clock that X-RateLimit-Reset was made by', async () => {
    const site = await opened({ limit: 1, window: '1h' });
    await site.ask();

    const { headers } = await site.ask();

    const seconds = Date.parse(headers.date!) / 1_000;
    const made = Number(headers['x-ratelimit-reset']) - Number(headers['retry-after']);
    expect(made - seconds).toBeGreaterThanOrEqual(-1);
    expect(made - seconds).toBeLessThanOrEqual(2);
  });

  it('C37 draft-6 is three numbers, and Reset is a time to wait', async () => {
    const { headers } = await (await opened({ limit: 10, window: '1h', headers: ['draft-6'] })).ask();

    const fields = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers[name]);
    for (const field of fields) expect(field).toMatch(/^\d+$/);
    expect(fields.slice(0, 2)).toEqual(['10', '9']);
    expect(Number(fields[2])).toBeLessThanOrEqual(2 * 3_600);
    expect(headers).not.toHaveProperty('ratelimit');
  });

  it('C37 draft-7 is a dictionary of three integers, and no list', async () => {
    const { headers } = await (await opened({ limit: 10, window: '1h', headers: ['draft-7'] })).ask();

    const values = Array.from(parseDictionary(headers.ratelimit!), ([name, [value]]) => [name, value]);
    expect(values).toEqual([
      ['limit', 10],
      ['remaining', 9],
      ['reset', expect.any(Number)],
    ]);
    expect(() => parseList(headers.ratelimit!)).toThrow('Expected');
    expect(headers['ratelimit-policy']).toBe('10;w=3600');
  });

  it('C37 two drafts at once are refused when the limiter is made, for both have a RateLimit-Policy', () => {
    expect(() => rateLimit({ limit: 1, window: '1h', headers: ['draft-7', 'draft-6'] })).toThrow('headers');
  });

  describe('C38 on a clock that stands still', () => {
    const clock = fakeClock(Date.UTC(2030, 0, 1));

    beforeEach(() => {
      jest.spyOn(Date, 'now').mockImplementation(() => clock());
    });

    afterEach(() => {
      jest.restoreAllMocks();
    });

    const fields = async (headers: RateLimitOptions['headers']) => {
      const site = await opened({
        store: memoryStore({ clock }),
        headers: headers!,
        tiers: [
          { name: 'minute', algorithm: 'fixed-window', limit: 2, window: '1m' },
          { name: 'bucket', algorithm: 'token-bucket', limit: 100, window: '1h', burst: 10 },
        ],
      });
      return (await site.askEach([{}, {}, {}])).map((answer) => limitFields(answer));
    };

    it.each<[NonNullable<RateLimitOptions['headers']>, Record<string, string>[]]>([
      [
        ['x-ratelimit'],
        [
          { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1893456060' },
          { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1893456060' },
          {
            'x-ratelimit-limit': '2',
            'x-ratelimit-remaining': '0',
            'x-ratelimit-reset': '1893456060',
            'retry-after': '60',
          },
        ],
      ],
      [
        ['draft-11'],
        [
          {
            'ratelimit-policy': '"bucket";q=10;w=360, "minute";q=2;w=60',
            ratelimit: '"bucket";r=9;t=324, "minute";r=1;t=60',
          },
          {
            'ratelimit-policy': '"bucket";q=10;w=360, "minute";q=2;w=60',
            ratelimit: '"bucket";r=8;t=288, "minute";r=0;t=60',
          },
          {
            'ratelimit-policy': '"bucket";q=10;w=360, "minute";q=2;w=60',
            ratelimit: '"bucket";r=8;t=288, "minute";r=0;t=60',
            'retry-after': '60',
          },
        ],
      ],
      [
        ['draft-7'],
        [
          { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=1, reset=60' },
          { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=0, reset=60' },
          { 'ratelimit-policy': '2;w=60', ratelimit: 'limit=2, remaining=0, reset=60', 'retry-after': '60' },
        ],
      ],
      [
        ['draft-6'],
        [
          { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' },
          { 'ratelimit-policy': '2;w=60', 'ratelimit-limit': '2', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' },
          {
            'ratelimit-policy': '2;w=60',
            'ratelimit-limit': '2',
            'ratelimit-remaining': '0',
            'ratelimit-reset': '60',
            'retry-after': '60',
          },
        ],
      ],
    ])('%j is byte for byte what it is', async (headers, expected) => {
      expect(await fields(headers)).toEqual(expected);
    });
  });
});
