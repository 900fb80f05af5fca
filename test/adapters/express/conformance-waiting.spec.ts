import { memoryStore, rateLimit, type RateLimitOptions } from '@sluice/express';
import { fakeClock } from '@sluice/core/testing';
import { membersOf, statusesOf } from './fields.js';
import { served, versions } from './frameworks.js';
import { HELD, policies } from './policies.js';
import { siteOpener, type Answer } from './site.js';

const both = ['x-ratelimit', 'draft-11'] as const;

describe.each(versions)('The time to wait that %s tells', (_version, express) => {
  const open = siteOpener();
  const opened = (options: RateLimitOptions) => open(served(express, rateLimit(options)));

  /** The answer to a request that comes after all units have been spent. */
  const blocked = async (options: RateLimitOptions): Promise<Answer> => {
    const site = await opened(options);
    await site.askTimes(HELD);
    return site.ask();
  };

  describe.each(policies)('of a %s', (_algorithm, tier) => {
    it('C22 is a Retry-After of whole seconds from 1, and under no other name, though the tier has one', async () => {
      const { headers, names } = await blocked({ tiers: [tier] });

      expect(headers['retry-after']).toMatch(/^[1-9]\d{0,6}$/);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(2_147_483);
      expect(names.filter((name) => /retry-after/i.test(name))).toEqual(['Retry-After']);
    });

    it('C23 is not before t of the policy that denies', async () => {
      const answer = await blocked({ tiers: [tier], headers: both });

      const { t } = membersOf(answer, 'ratelimit')[0]!;
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(Number(t));
    });

    it('C24 is enough, and a second less is not', async () => {
      const clock = fakeClock();
      const site = await opened({ tiers: [tier], store: memoryStore({ clock }) });
      clock.advance('7m');
      await site.askTimes(HELD);
      const seconds = Number((await site.ask()).headers['retry-after']);

      clock.advance((seconds - 1) * 1_000);
      const early = await site.ask();
      clock.advance(1_000);
      const late = await site.ask();

      expect(seconds).toBeGreaterThan(1);
      expect(statusesOf([early, late])).toEqual([429, 200]);
    });

    it('C31 is not put off by requests that are refused', async () => {
      const clock = fakeClock();
      const site = await opened({ tiers: [tier], store: memoryStore({ clock }) });
      await site.askTimes(HELD);

      const waits: number[] = [];
      for (let refused = 0; refused < 10; refused += 1) {
        waits.push(Number((await site.ask()).headers['retry-after']));
        clock.advance('10s');
      }

      expect(waits).toEqual(waits.map((_wait, index) => waits[0]! - index * 10));
    });
  });

  it('C23 is the longest of several policies that deny', async () => {
    const answer = await blocked({
      headers: both,
      tiers: [
        { name: 'minute', algorithm: 'fixed-window', limit: HELD, window: '1m' },
        { name: 'day', algorithm: 'fixed-window', limit: HELD, window: '1d' },
        { name: 'week', algorithm: 'fixed-window', limit: 100, window: '7d' },
      ],
    });

    const members = membersOf(answer, 'ratelimit');
    expect(members.map(({ name, r }) => [name, r])).toEqual([
      ['week', 95],
      ['day', 0],
      ['minute', 0],
    ]);
    // Its window ends with a whole tenth of a second, and t is at most w.
    expect(members[1]!.t).toBe(86_400);
    expect(['86400', '86401']).toContain(answer.headers['retry-after']);
  });

  it('C24 is cut to what timers of clients can hold, and told again where that was too early', async () => {
    const clock = fakeClock();
    const store = memoryStore({ clock });
    const site = await opened({ store, name: 'year', algorithm: 'fixed-window', limit: 1, window: '365d' });
    await site.ask();

    const first = await site.ask();
    clock.advance(2_147_483_000);
    const second = await site.ask();

    expect(statusesOf([first, second])).toEqual([429, 429]);
    expect(first.headers['retry-after']).toBe('2147483');
  });

  it('C22 is a second at least, for clients take 0 for at once', async () => {
    const store = memoryStore({ clock: fakeClock() });
    const site = await opened({ store, name: 'tick', algorithm: 'fixed-window', limit: 1, window: '10ms' });

    const [, denied] = await site.askTimes(2);

    expect(denied!.headers['retry-after']).toBe('1');
  });
});
