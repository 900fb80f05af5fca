import { byApiKey, byIp, memoryStore, rateLimit, type RateLimitOptions } from '@sluice/express';
import type { Request } from 'express';
import { limitFields, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { siteOpener } from './site.js';

type Options<Name extends 'skip' | 'cost'> = NonNullable<RateLimitOptions[Name]>;

describe.each(versions)('What a request takes on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (options: RateLimitOptions) => open(served(express, rateLimit(options)));
  const remaining = async (options: RateLimitOptions, paths: readonly string[]) => {
    const answers = await (await opened(options)).askEach(paths.map((path) => ({ path })));
    return answers.map(({ headers }) => headers['x-ratelimit-remaining']);
  };

  it.each<[string, Options<'skip'>]>([
    ['function', ({ path }) => path === '/health'],
    ['async function', async ({ path }) => path === '/health'],
  ])('is nothing where a %s says that it is skipped', async (_kind, skip) => {
    expect(await remaining({ limit: 5, window: '1h', skip }, ['/', '/health', '/'])).toEqual(['4', undefined, '3']);
  });

  it.each<[string, Options<'cost'>]>([
    ['number', 2],
    ['function', ({ path }) => (path === '/search' ? 3 : 1)],
    ['async function', async ({ path }) => (path === '/search' ? 3 : 1)],
  ])('is its cost, which is a %s', async (_kind, cost) => {
    const expected = cost === 2 ? ['8', '6', '4'] : ['9', '6', '5'];

    expect(await remaining({ limit: 10, window: '1h', cost }, ['/', '/search', '/'])).toEqual(expected);
  });

  it('is the cost of a tier where the tier has one, and that of the request elsewhere', async () => {
    const gate = rateLimit({
      store: memoryStore(),
      cost: 2,
      tiers: [
        { name: 'requests', limit: 100, window: '1h', cost: 1 },
        { name: 'bytes', limit: 1_000, window: '1h', cost: ({ headers }) => Number(headers['content-length']) },
        { name: 'units', limit: 10, window: '1h' },
      ],
    });
    const site = await open(served(express, gate));

    await site.ask({ method: 'POST', body: 'x'.repeat(250) });

    const inspected = await gate.limiter.inspect({ ip: '127.0.0.1' }, { tiers: ['requests', 'bytes', 'units'] });
    expect(Object.fromEntries(inspected.map(({ outcome }) => [outcome.tier, outcome.remaining]))).toEqual({
      requests: 99,
      bytes: 750,
      units: 8,
    });
  });

  it('is nothing of any tier where one of them denies', async () => {
    const gate = rateLimit({
      tiers: [
        { name: 'hour', limit: 10, window: '1h' },
        { name: 'day', limit: 1, window: '1d' },
      ],
    });
    const site = await open(served(express, gate));

    const answers = await site.askTimes(5);

    const [, hour] = await gate.limiter.inspect({ ip: '127.0.0.1' });
    expect(statusesOf(answers)).toEqual([200, 429, 429, 429, 429]);
    expect(hour!.outcome).toMatchObject({ tier: 'hour', remaining: 9 });
  });

  it('is counted and never denied by a tier in shadow, of which nothing is told', async () => {
    const site = await opened({
      headers: ['x-ratelimit', 'draft-11'],
      tiers: [
        { name: 'enforced', limit: 10, window: '1h' },
        { name: 'tried', limit: 1, window: '1h', mode: 'shadow' },
      ],
    });

    const answers = await site.askTimes(3);

    expect(statusesOf(answers)).toEqual([200, 200, 200]);
    expect(answers[2]!.headers).toMatchObject({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '7',
      'ratelimit-policy': '"enforced";q=10;w=3600',
    });
  });

  it('is told by no header where no tier applies', async () => {
    const site = await opened({ tiers: () => [] });

    const answer = await site.ask();

    expect(answer.status).toBe(200);
    expect(limitFields(answer)).toEqual({});
  });

  describe('under plans', () => {
    const key = byApiKey();
    const free = [{ name: 'free', key, limit: 1, window: '1h' }] as const;
    const pro = [
      { name: 'pro', key, limit: 3, window: '1h' },
      { name: 'pro-ip', key: byIp(), limit: 100, window: '1h' },
    ] as const;
    const planOf = ({ headers }: Request) => (String(headers['x-api-key']).startsWith('pro-') ? pro : free);
    const asked = (apiKey: string, times: number) =>
      Array.from({ length: times }, () => ({ headers: { 'X-Api-Key': apiKey } }));

    beforeAll(() => {
      // These keys are free to make up, and the free plan has no tier by address: this is said once.
      jest.spyOn(process, 'emitWarning').mockReturnValue();
    });

    afterAll(() => {
      jest.restoreAllMocks();
    });

    it.each<[string, (request: Request) => readonly object[] | Promise<readonly object[]>]>([
      ['function', planOf],
      ['async function', async (request) => planOf(request)],
    ])('is of the plan that a %s of the request tells', async (_kind, tiers) => {
      const site = await opened({ tiers } as RateLimitOptions);

      const answers = await site.askEach([...asked('free-1', 2), ...asked('pro-1', 4), ...asked('free-2', 1)]);

      expect(statusesOf(answers)).toEqual([200, 429, 200, 200, 200, 429, 200]);
      expect(answers.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(['1', '1', '3', '3', '3', '3', '1']);
    });

    it('is of a limit that is a function of the request', async () => {
      const limit = ({ headers }: Request) => (String(headers['x-api-key']).startsWith('pro-') ? 3 : 1);
      const site = await opened({ key, limit, window: '1h' });

      const answers = await site.askEach([...asked('free-1', 2), ...asked('pro-1', 4)]);

      expect(statusesOf(answers)).toEqual([200, 429, 200, 200, 200, 429]);
    });
  });
});
