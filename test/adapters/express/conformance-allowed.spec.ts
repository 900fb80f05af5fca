import { rateLimit, type RateLimitOptions } from '@sluice/express';
import type { RequestHandler } from 'express';
import { limitFields, membersOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { HELD, policies } from './policies.js';
import { siteOpener } from './site.js';

const draft = ['draft-11'] as const;
const both = ['x-ratelimit', 'draft-11'] as const;

describe.each(versions)('Headers of an allowed response on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (...options: RateLimitOptions[]) => open(served(express, ...options.map((each) => rateLimit(each))));

  it('C4 q is the limit that a function gives for this very request', async () => {
    const site = await opened({
      limit: ({ headers }) => Number(headers['x-limit']),
      window: '1h',
      headers: draft,
    });

    const answers = await site.askEach([10, 500].map((units) => ({ headers: { 'X-Limit': String(units) } })));

    expect(answers.map((answer) => membersOf(answer, 'ratelimit-policy')[0]!.q)).toEqual([10, 500]);
  });

  it.each([
    [500, 1],
    [1_500, 2],
    [60_000, 60],
  ])('C5 w of a window of %d ms is %d s, rounded up', async (window, seconds) => {
    const answer = await (await opened({ limit: 100, window, headers: draft })).ask();

    expect(membersOf(answer, 'ratelimit-policy')).toEqual([{ name: 'default', q: 100, w: seconds }]);
  });

  it('C9 two policies on one route are two members of each field, on one line each', async () => {
    const answer = await (
      await opened({
        headers: draft,
        tiers: [
          { name: 'burst', limit: 100, window: '1m' },
          { name: 'daily', limit: 1_000, window: '1d' },
        ],
      })
    ).ask();

    expect(membersOf(answer, 'ratelimit').map(({ name }) => name)).toEqual(['daily', 'burst']);
    expect(membersOf(answer, 'ratelimit-policy').map(({ name }) => name)).toEqual(['daily', 'burst']);
    expect(answer.names.filter((name) => name === 'RateLimit')).toHaveLength(1);
    expect(answer.names.filter((name) => name === 'RateLimit-Policy')).toHaveLength(1);
  });

  it('C10 two limiters on one request do not clobber each other, and X-RateLimit speaks of the binding one', async () => {
    const roomy = { name: 'roomy', limit: 1_000, window: '1d', headers: both } as const;
    const tight = { name: 'tight', limit: 10, window: '1m', headers: both } as const;

    for (const order of [
      [roomy, tight],
      [tight, roomy],
    ]) {
      const answer = await (await opened(...order)).ask();

      const names = membersOf(answer, 'ratelimit').map(({ name }) => name);
      expect(names).toEqual(order.map(({ name }) => name));
      expect(membersOf(answer, 'ratelimit-policy').map(({ name }) => name)).toEqual(names);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
    }
  });

  it('C12 no partition key is told', async () => {
    const { headers } = await (await opened({ limit: 10, window: '1h', headers: draft })).ask();

    expect(`${headers.ratelimit} ${headers['ratelimit-policy']}`).not.toContain('pk=');
  });

  it.each(['a"b', 'a\\b', 'a\nb', '\u00fc', '', 'a'.repeat(65)])(
    'C13 the name %j is refused when the limiter is made',
    (name) => {
      expect(() => rateLimit({ name, limit: 1, window: '1h' })).toThrow('name');
    },
  );

  it.each([Number.NaN, Infinity, -1, 1e15, 1.5, '10'])(
    'C14 the limit %p is refused when the limiter is made',
    (limit) => {
      expect(() => rateLimit({ limit: limit as number, window: '1h' })).toThrow('limit');
    },
  );

  it.each(policies.filter(([algorithm]) => algorithm !== 'fixed-window'))(
    'C17 r of a %s lasts for t at the rate of the policy: r/t is at most q/w',
    async (_algorithm, tier) => {
      const site = await opened({ tiers: [tier], headers: draft });

      for (const answer of await site.askTimes(HELD - 1)) {
        const known = membersOf(answer, 'ratelimit-policy');
        for (const { name, r, t } of membersOf(answer, 'ratelimit')) {
          const { q, w } = known.find((member) => member.name === name)!;
          expect(Number(r) * Number(w)).toBeLessThanOrEqual(Number(q) * Number(t));
        }
      }
    },
  );

  it('C17 t of a fixed-window is the end of the window, whatever is left', async () => {
    const site = await opened({ algorithm: 'fixed-window', limit: 100, window: '1h', headers: draft });

    const answers = await site.askTimes(3);

    for (const answer of answers) {
      const { t } = membersOf(answer, 'ratelimit')[0]!;
      expect(t).toBeGreaterThan(3_590);
      expect(t).toBeLessThanOrEqual(3_600);
    }
  });

  it('C18 nothing about limits is in trailers', async () => {
    const app = express();
    app.use(rateLimit({ limit: 10, window: '1h', headers: both }));
    app.get('/', (_request, response) => {
      response.setHeader('Trailer', 'Checksum');
      response.write('some');
      response.addTrailers({ Checksum: 'abc' });
      response.end('thing');
    });

    const { trailers, headers } = await (await open(app)).ask({ headers: { TE: 'trailers' } });

    expect(trailers).toEqual({ checksum: 'abc' });
    expect(Object.keys(limitFields({ headers, trailers: {} }))).toHaveLength(5);
  });

  it.each<[string, RequestHandler, number]>([
    ['404 that nobody serves', (_request, _response, next) => next(), 404],
    ['400 of a handler', (_request, response) => void response.status(400).send('bad'), 400],
    ['500 of a handler', (_request, response) => void response.status(500).json({}), 500],
    [
      '500 of the error handler',
      (_request, _response, next) => next(Object.assign(new Error(), { expose: false })),
      500,
    ],
    ['204', (_request, response) => void response.status(204).end(), 204],
    ['304', (_request, response) => void response.status(304).end(), 304],
    ['stream', (_request, response) => void response.write('a', () => void response.end('b')), 200],
    ['redirect', (_request, response) => response.redirect('/elsewhere'), 302],
  ])('C19 a %s has the headers', async (_kind, handler, status) => {
    const app = express().set('env', 'test');
    app.use(rateLimit({ limit: 10, window: '1h', headers: both }));
    app.get('/', handler);

    const answer = await (await open(app)).ask();

    expect(answer.status).toBe(status);
    expect(limitFields(answer)).toMatchObject({ 'x-ratelimit-remaining': '9', ratelimit: '"default";r=9;t=3240' });
  });

  it.each([
    [['draft-11'] as const, ['ratelimit', 'ratelimit-policy']],
    [['x-ratelimit'] as const, ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']],
    [[] as const, []],
  ])('C20 with headers %j a response has no others', async (dialects, expected) => {
    const answer = await (await opened({ limit: 10, window: '1h', headers: dialects })).ask();

    expect(Object.keys(limitFields(answer)).toSorted()).toEqual(expected);
  });
});
