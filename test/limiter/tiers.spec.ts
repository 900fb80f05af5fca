import { createLimiter, type Decision, type Limiter, type Tier } from '@sluice/core';

import { newCaller, onEveryStore, tier, type Caller } from './stores.js';

// 'What a check means', rules 1 and 2.

onEveryStore((newStore) => {
  function limiterOf(...tiers: Tier<Caller>[]): Limiter<Caller> {
    return createLimiter({ store: newStore(), tiers });
  }

  describe('largest first', () => {
    it('evaluates the longest window first, then the larger limit, then in order of declaration', async () => {
      const limiter = limiterOf(
        tier('minute', 90, { window: '1m' }),
        tier('hour, declared first', 9),
        tier('hour, of more', 10),
        tier('hour, declared second', 9),
        tier('day', 5, { window: '1d' }),
      );

      const { outcomes } = await limiter.consume(newCaller());

      const order = ['day', 'hour, of more', 'hour, declared first', 'hour, declared second', 'minute'];
      expect(outcomes.map((each) => each.tier)).toEqual(order);
    });

    it('places several windows by the longest of them', async () => {
      const several = { name: 'several', key: ({ user }: Caller) => user, algorithm: 'multi-window' } as const;
      const windows = [
        { limit: 9, window: '1m' },
        { limit: 20, window: '2h' },
      ] as const;
      const limiter = limiterOf(tier('hour', 90), { ...several, windows }, tier('3 hours', 5, { window: '3h' }));

      const { outcomes } = await limiter.consume(newCaller());

      expect(outcomes.map((each) => each.tier)).toEqual(['3 hours', 'several', 'hour']);
    });

    it('places a limit that is a function before the others of its window', async () => {
      const limiter = limiterOf(
        tier('numbers', 90),
        tier('function', 1, { limit: () => 2 }),
        tier('day', 5, { window: '1d' }),
      );

      const { outcomes } = await limiter.consume(newCaller());

      expect(outcomes.map((each) => each.tier)).toEqual(['day', 'function', 'numbers']);
    });

    it('reads all tiers, also below one that denies', async () => {
      const limiter = limiterOf(
        tier('day', 1, { window: '1d' }),
        tier('hour', 10),
        tier('minute', 5, { window: '1m' }),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      const { outcomes } = await limiter.consume(caller);

      expect(outcomes.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [false, 0],
        [true, 9],
        [true, 4],
      ]);
    });

    it('names in deniedBy every enforced tier that denies, largest first', async () => {
      const limiter = limiterOf(
        tier('minute', 1, { window: '1m' }),
        tier('watching', 1, { mode: 'shadow' }),
        tier('hour', 9),
        tier('day', 1, { window: '1d' }),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['day', 'minute'] });
    });

    it('is bound, among those that deny, by the longest retryAfter', async () => {
      // The first of them has its next unit in an hour, the second in two.
      const bucket = { algorithm: 'token-bucket', window: '1d', burst: 1 } as const;
      const limiter = limiterOf(tier('day', 24, bucket), tier('2 hours', 1, { window: '2h' }), tier('hour', 5));
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied.deniedBy).toEqual(['day', '2 hours']);
      expect(denied.binding).toBe(denied.outcomes[1]);
      expect(denied.retryAfter).toBe(denied.binding!.retryAfter);
      expect(denied.retryAfter).toBeGreaterThan(denied.outcomes[0]!.retryAfter);
    });

    it('is bound, when none denies, by the smallest remaining', async () => {
      const limiter = limiterOf(tier('day', 9, { window: '1d' }), tier('hour', 3), tier('minute', 5, { window: '1m' }));

      const { binding, retryAfter } = await limiter.consume(newCaller());

      expect(binding).toMatchObject({ tier: 'hour', remaining: 2 });
      expect(retryAfter).toBe(0);
    });

    it('is bound by the earlier one of equals', async () => {
      const limiter = limiterOf(tier('first', 1), tier('second', 1), tier('third', 1));
      const caller = newCaller();

      const admitted = await limiter.consume(caller);
      const denied = await limiter.consume(caller);

      expect(admitted.binding!.tier).toBe('first');
      // On a Cluster each tier has a clock of its own.
      const longest = Math.max(...denied.outcomes.map((each) => each.retryAfter));
      expect(denied.binding).toBe(denied.outcomes.find((each) => each.retryAfter === longest));
    });
  });

  describe('all or nothing', () => {
    const day = tier('day', 5, { window: '1d' });
    const hour = tier('hour', 5);
    const minute = tier('minute', 5, { algorithm: 'token-bucket', window: '7d', burst: 5 });

    it('charges all of three tiers when all of them fit', async () => {
      const decision = await limiterOf(day, hour, minute).consume(newCaller());

      expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], degraded: false });
      expect(left(decision)).toEqual({ day: 4, hour: 4, minute: 4 });
    });

    it.each(['day', 'hour', 'minute'])('charges none of three tiers when %s denies', async (name) => {
      const tiers = [day, hour, minute].map((each) => (each.name === name ? { ...each, cost: 3 } : each));
      const limiter = limiterOf(...tiers);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      const expected = { day: 4, hour: 4, minute: 4, [name]: 2 };
      expect(denied).toMatchObject({ allowed: false, deniedBy: [name] });
      expect(left(denied)).toEqual(expected);
      expect(left(await limiter.peek(caller))).toEqual(expected);
    });

    it('says as remaining after a denial what is really left', async () => {
      const limiter = limiterOf(tier('hour', 5));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 3 });

      const denied = await limiter.consume(caller, { cost: 3 });
      const smaller = await limiter.consume(caller, { cost: 2 });

      expect(denied.outcomes).toMatchObject([{ allowed: false, remaining: 2 }]);
      expect(smaller.outcomes).toMatchObject([{ allowed: true, remaining: 0 }]);
    });
  });

  describe('a shadow tier', () => {
    const watching = tier('watching', 2, { mode: 'shadow' });

    it('is charged when the request is admitted and fits it', async () => {
      const decision = await limiterOf(tier('hour', 5), watching).consume(newCaller());

      expect(left(decision)).toEqual({ hour: 4, watching: 1 });
      expect(decision.outcomes.map((each) => each.shadow)).toEqual([false, true]);
    });

    it('is not charged for what does not fit it, and never denies', async () => {
      const limiter = limiterOf(tier('hour', 9), watching);
      const caller = newCaller();
      await limiter.consume(caller);

      const decision = await limiter.consume(caller, { cost: 2 });

      expect(decision).toMatchObject({
        allowed: true,
        reason: 'ok',
        deniedBy: [],
        retryAfter: 0,
        binding: { tier: 'hour' },
      });
      expect(decision.outcomes[1]).toMatchObject({ tier: 'watching', allowed: false, remaining: 1 });
      expect(left(decision)).toEqual({ hour: 6, watching: 1 });
    });

    it('is not charged when an enforced tier denies', async () => {
      const limiter = limiterOf(tier('hour', 1), watching);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied.deniedBy).toEqual(['hour']);
      expect(left(denied)).toEqual({ hour: 0, watching: 1 });
    });

    it('never denies, not even a cost that it can never hold', async () => {
      const decision = await limiterOf(tier('hour', 9), watching).consume(newCaller(), { cost: 3 });

      expect(decision).toMatchObject({ allowed: true, reason: 'ok', retryAfter: 0 });
      expect(decision.outcomes[1]).toMatchObject({ allowed: false, never: true, remaining: 2 });
    });
  });

  describe('a tier that counts denied requests', () => {
    const tries = tier('tries', 5, { countDenied: true });

    it('is charged for a request that another tier denies', async () => {
      const limiter = limiterOf(tier('hour', 1), tries);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied).toMatchObject({ allowed: false, deniedBy: ['hour'] });
      expect(left(denied)).toEqual({ tries: 3, hour: 0 });
      expect(left(await limiter.peek(caller))).toEqual({ tries: 3, hour: 0 });
    });

    it('is charged for a request that it denies itself, at most up to full', async () => {
      const limiter = limiterOf(tries);
      const caller = newCaller();
      await limiter.consume(caller, { cost: 3 });

      const denied = await limiter.consume(caller, { cost: 3 });

      expect(denied).toMatchObject({ allowed: false, deniedBy: ['tries'] });
      expect(left(denied)).toEqual({ tries: 0 });
    });

    it('is charged for a cost that never fits, at most up to full', async () => {
      const denied = await limiterOf(tries).consume(newCaller(), { cost: 6 });

      expect(denied).toMatchObject({ allowed: false, reason: 'never' });
      expect(left(denied)).toEqual({ tries: 0 });
    });

    it('does not grow its penalty beyond one refill', async () => {
      const bucket = tier('tries', 5, { algorithm: 'token-bucket', countDenied: true });
      const limiter = limiterOf(bucket);
      const caller = newCaller();

      const decisions: Decision[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1) decisions.push(await limiter.consume(caller));

      expect(decisions.map((each) => each.allowed)).toEqual(Array.from({ length: 12 }, (_, attempt) => attempt < 5));
      expect(Math.max(...decisions.map((each) => each.outcomes[0]!.resetAfter))).toBeLessThanOrEqual(3_600_000);
      expect(decisions.at(-1)!.retryAfter).toBeLessThanOrEqual(720_000);
    });

    it('is charged in shadow for requests that others deny', async () => {
      const limiter = limiterOf(tier('hour', 1), { ...tries, mode: 'shadow' });
      const caller = newCaller();
      await limiter.consume(caller);

      expect(left(await limiter.consume(caller))).toEqual({ tries: 3, hour: 0 });
    });
  });
});

function left({ outcomes }: Decision): Record<string, number> {
  return Object.fromEntries(outcomes.map((each) => [each.tier, each.remaining]));
}
