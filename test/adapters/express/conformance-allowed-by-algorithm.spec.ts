import { rateLimit, type RateLimitOptions } from '@sluice/express';
import { served, versions } from './frameworks.js';
import { membersOf } from './fields.js';
import { HELD, policies } from './policies.js';
import { siteOpener } from './site.js';

const both = ['x-ratelimit', 'draft-11'] as const;

/** Digits alone, as RFC 9651 writes an Integer: a parser makes one number of 50 and of 50.0. */
const INTEGERS = /^"[^"]+"(?:;[a-z]=(?:0|[1-9]\d{0,14}))+(?:, "[^"]+"(?:;[a-z]=(?:0|[1-9]\d{0,14}))+)*$/;

describe.each(versions)('Headers of an allowed response on %s, whatever the algorithm', (_version, express) => {
  const open = siteOpener();
  const opened = (...options: RateLimitOptions[]) => open(served(express, ...options.map((each) => rateLimit(each))));

  describe.each(policies)('of a %s', (_algorithm, tier) => {
    const limited = () => opened({ tiers: [tier], headers: both });

    it('C1 both fields of the draft parse as lists with a member each or more', async () => {
      const answer = await (await limited()).ask();

      expect(answer.status).toBe(200);
      expect(membersOf(answer, 'ratelimit').length).toBeGreaterThanOrEqual(1);
      expect(membersOf(answer, 'ratelimit-policy').length).toBeGreaterThanOrEqual(1);
    });

    it('C2 every member is named by a string of printable ASCII', async () => {
      const answer = await (await limited()).ask();

      for (const { name } of [...membersOf(answer, 'ratelimit'), ...membersOf(answer, 'ratelimit-policy')]) {
        expect(typeof name).toBe('string');
        expect(name).toMatch(/^[\x20-\x7e]{1,64}$/);
      }
    });

    it('C3 every parameter is written as an integer, without decimals and exponents', async () => {
      const { headers } = await (await limited()).ask();

      expect(headers.ratelimit).toMatch(INTEGERS);
      expect(headers['ratelimit-policy']).toMatch(INTEGERS);
    });

    it('C4 q is the limit that is configured', async () => {
      const answer = await (await limited()).ask();

      expect(membersOf(answer, 'ratelimit-policy').map(({ q }) => q)).toContain(HELD);
    });

    it('C6 r is there for each member, from 0 to q', async () => {
      const site = await limited();

      const answers = await site.askTimes(HELD);

      for (const answer of answers) {
        for (const { r } of membersOf(answer, 'ratelimit')) {
          expect(r).toBeGreaterThanOrEqual(0);
          expect(r).toBeLessThanOrEqual(HELD);
        }
      }
    });

    it('C7 t is a whole number of seconds, at least 0 and not longer than the window', async () => {
      const { t } = membersOf(await (await limited()).ask(), 'ratelimit')[0]!;

      expect(Number.isInteger(t)).toBe(true);
      expect(t).toBeGreaterThanOrEqual(0);
      expect(t).toBeLessThanOrEqual(3_600);
    });

    it('C8 what is told as left has a policy of its name, and no name stands twice in a field', async () => {
      const answer = await (await limited()).ask();

      const [left, known] = (['ratelimit', 'ratelimit-policy'] as const).map((field) =>
        membersOf(answer, field).map(({ name }) => name),
      );
      expect(known).toEqual(expect.arrayContaining(left!));
      expect(new Set(left).size).toBe(left!.length);
      expect(new Set(known).size).toBe(known!.length);
    });

    it('C11 the parameters are those of the draft and no others', async () => {
      const answer = await (await limited()).ask();

      for (const { name: _name, ...rest } of membersOf(answer, 'ratelimit'))
        expect(Object.keys(rest)).toEqual(['r', 't']);
      for (const { name: _name, ...rest } of membersOf(answer, 'ratelimit-policy')) {
        expect(Object.keys(rest)).toEqual(['q', 'w']);
      }
    });

    it('C15 the first request of a key leaves one unit less than there are, or what its cost leaves', async () => {
      const one = await (await limited()).ask();
      const three = await (await opened({ tiers: [tier], headers: both, cost: 3 })).ask();

      expect(membersOf(one, 'ratelimit')[0]).toMatchObject({ r: HELD - 1 });
      expect(one.headers['x-ratelimit-remaining']).toBe(String(HELD - 1));
      expect(membersOf(three, 'ratelimit')[0]).toMatchObject({ r: HELD - 3 });
      expect(three.headers['x-ratelimit-remaining']).toBe(String(HELD - 3));
    });

    it('C16 r falls by one with each request while nothing comes back', async () => {
      const site = await limited();

      const answers = await site.askTimes(HELD);

      expect(answers.map((answer) => membersOf(answer, 'ratelimit')[0]!.r)).toEqual([4, 3, 2, 1, 0]);
    });
  });
});
