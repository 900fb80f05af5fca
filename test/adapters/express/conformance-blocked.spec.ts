import { rateLimit, type RateLimitOptions } from '@sluice/express';
import express5 from 'express';
import { served, versions } from './frameworks.js';
import { limitFields, membersOf, statusesOf } from './fields.js';
import { HELD, policies } from './policies.js';
import { siteOpener, type Answer } from './site.js';

const both = ['x-ratelimit', 'draft-11'] as const;
const REGISTRY = 'https://iana.org/assignments/http-problem-types#';

describe.each(versions)('A blocked response on %s', (_version, express) => {
  const open = siteOpener();
  const opened = (...options: RateLimitOptions[]) => open(served(express, ...options.map((each) => rateLimit(each))));

  /** The answer to a request that comes after all units have been spent. */
  const blocked = async (options: RateLimitOptions, question = {}): Promise<Answer> => {
    const site = await opened(options);
    await site.askTimes(HELD);
    return site.ask(question);
  };

  describe.each(policies)('of a %s', (_algorithm, tier) => {
    it('C21 has the status 429 and its reason phrase', async () => {
      const { status, reason } = await blocked({ tiers: [tier] });

      expect([status, reason]).toEqual([429, 'Too Many Requests']);
    });

    it('C25 says r=0 of the policy that denies, also where units are left that the cost does not fit', async () => {
      const site = await opened({ tiers: [tier], headers: both, cost: 3 });

      const [, answer] = await site.askEach([{}, {}]);

      expect(answer!.status).toBe(429);
      expect(membersOf(answer!, 'ratelimit')[0]).toMatchObject({ r: 0 });
      expect(membersOf(answer!, 'ratelimit-policy').map(({ q }) => q)).toContain(HELD);
      expect(answer!.headers['x-ratelimit-remaining']).toBe('0');
    });
  });

  it('C26 is a problem with the type of the draft, its status, and the names of the policies that deny', async () => {
    const answer = await blocked({
      headers: both,
      tiers: [
        { name: 'burst', limit: HELD, window: '1m' },
        { name: 'daily', limit: 100, window: '1d' },
      ],
    });

    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json(?:;|$)/);
    expect(JSON.parse(answer.text)).toEqual({
      type: `${REGISTRY}quota-exceeded`,
      title: 'Request cannot be satisfied as assigned quota has been exceeded',
      status: answer.status,
      detail: expect.stringMatching(/^Too many requests\. Retry in \d+ seconds?\.$/),
      'violated-policies': ['burst'],
    });
    expect(membersOf(answer, 'ratelimit-policy').map(({ name }) => name)).toContain('burst');
  });

  it('C27 tells nobody who anyone is, neither in its body nor in its headers', async () => {
    const site = await open(
      served(
        express,
        rateLimit({ limit: 1, window: '1h', headers: both, key: ({ headers }) => String(headers['x-account']) }),
      ),
    );
    const question = { headers: { 'X-Account': 'ada@example.com', Authorization: 'Bearer secret' } };

    const [, { status, headers, text }] = (await site.askEach([question, question])) as [Answer, Answer];

    expect(status).toBe(429);
    expect(`${JSON.stringify(headers)} ${text}`).not.toMatch(/ada|example\.com|127\.0\.0\.1|secret|rl:|\bat /i);
  });

  it('C28 must not be stored, and never becomes 304', async () => {
    const site = await opened({ limit: 1, window: '1h', body: 'denied' });
    await site.ask();
    const denied = await site.ask();

    const again = await site.ask({
      headers: { 'If-None-Match': `${denied.headers.etag ?? '"x"'}, *`, 'If-Modified-Since': new Date().toUTCString() },
    });

    expect(denied.headers['cache-control']).toContain('no-store');
    expect(again).toMatchObject({ status: 429, text: 'denied' });
  });

  it('C29 to HEAD has the headers and no body', async () => {
    const site = await opened({ limit: 1, window: '1h', headers: both });
    await site.ask({ method: 'HEAD' });

    const get = await site.ask();
    const head = await site.ask({ method: 'HEAD' });

    expect(head).toMatchObject({ status: 429, text: '' });
    expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers).filter((name) => name !== 'transfer-encoding'));
    expect(limitFields(head)).toEqual(limitFields(get));
  });

  it('C30 never reaches the handler, and its body is not read', async () => {
    const reached: string[] = [];
    const site = await open(
      served(
        express,
        rateLimit({ limit: 1, window: '1h' }),
        express5.json({ verify: () => void reached.push('body') }),
        (_request, _response, next) => {
          reached.push('handler');
          next();
        },
      ),
    );
    const question = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"a":1}' };

    const answers = await site.askEach([question, { ...question, body: '{ no JSON' }]);

    expect(statusesOf(answers)).toEqual([200, 429]);
    expect(reached).toEqual(['body', 'handler']);
  });

  it('C32 of a cost that never fits has the status 422 and no Retry-After', async () => {
    const answer = await (await opened({ limit: HELD, window: '1h', cost: () => HELD + 1, headers: both })).ask();

    expect([answer.status, answer.reason]).toEqual([422, 'Unprocessable Entity']);
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect(JSON.parse(answer.text)).toMatchObject({ status: 422, 'violated-policies': ['default'] });
    expect(membersOf(answer, 'ratelimit')).toEqual([{ name: 'default', r: 0 }]);
  });
});
