import type { Decision, Tier } from '@sluice/core';
import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

onEveryStore((newStore) => {
  describe('tiers', () => {
    const [day, minute] = [tier('day', 5, { window: '1d' }), tier('minute', 90, { window: '1m' })];
    const several: Tier<Caller> = {
      name: 'several',
      key: ({ user }) => user,
      algorithm: 'multi-window',
      windows: [
        { limit: 9, window: '1m' },
        { limit: 20, window: '2h' },
      ],
    };

    it.each<[string, readonly Tier<Caller>[], readonly string[]]>([
      [
        'by window, then by limit, then in order of declaration',
        [minute, tier('declared first', 9), tier('of more', 10), tier('declared second', 9), day],
        ['day', 'of more', 'declared first', 'declared second', 'minute'],
      ],
      [
        'by the longest of several windows',
        [tier('hour', 90), several, tier('3 hours', 5, { window: '3h' })],
        ['3 hours', 'several', 'hour'],
      ],
      [
        'with a limit function first among those of one window',
        [tier('numbers', 90), tier('function', 1, { limit: () => 2 }), day],
        ['day', 'function', 'numbers'],
      ],
    ])('rank %s', async (_how, tiers, expected) => {
      const { outcomes } = await limiterOf(newStore(), ...tiers).consume(newCaller());

      expect(outcomes.map((each) => each.tier)).toEqual(expected);
    });

    it('are all evaluated, also after one that denies', async () => {
      const limiter = limiterOf(
        newStore(),
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

    it('are named in deniedBy when they deny, largest first, without shadow tiers', async () => {
      const limiter = limiterOf(
        newStore(),
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

    it('bind by the longest retryAfter among those that deny', async () => {
      // The first has its next unit in an hour, the second in two.
      const bucket = { algorithm: 'token-bucket', window: '1d', burst: 1 } as const;
      const limiter = limiterOf(
        newStore(),
        tier('day', 24, bucket),
        tier('2 hours', 1, { window: '2h' }),
        tier('hour', 5),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied.deniedBy).toEqual(['day', '2 hours']);
      expect(denied.binding).toBe(denied.outcomes[1]);
      expect(denied.retryAfter).toBe(denied.binding!.retryAfter);
      expect(denied.retryAfter).toBeGreaterThan(denied.outcomes[0]!.retryAfter);
    });

    it('bind by the fewest remaining units when none denies', async () => {
      const limiter = limiterOf(
        newStore(),
        tier('day', 9, { window: '1d' }),
        tier('hour', 3),
        tier('minute', 5, { window: '1m' }),
      );

      const { binding, retryAfter } = await limiter.consume(newCaller());

      expect(binding).toMatchObject({ tier: 'hour', remaining: 2 });
      expect(retryAfter).toBe(0);
    });

    it('bind by order among equals', async () => {
      const limiter = limiterOf(newStore(), tier('first', 1), tier('second', 1), tier('third', 1));
      const caller = newCaller();

      const admitted = await limiter.consume(caller);
      const denied = await limiter.consume(caller);

      expect(admitted.binding!.tier).toBe('first');
      // On a Cluster each tier has the clock of its node.
      const longest = Math.max(...denied.outcomes.map((each) => each.retryAfter));
      expect(denied.binding).toBe(denied.outcomes.find((each) => each.retryAfter === longest));
    });
  });

  describe('three tiers', () => {
    const day = tier('day', 5, { window: '1d' });
    const hour = tier('hour', 5);
    const minute = tier('minute', 5, { algorithm: 'token-bucket', window: '7d', burst: 5 });

    it('are all charged when all fit', async () => {
      const decision = await limiterOf(newStore(), day, hour, minute).consume(newCaller());

      expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], degraded: false });
      expect(remainingIn(decision)).toEqual({ day: 4, hour: 4, minute: 4 });
    });

    it.each(['day', 'hour', 'minute'])('are not charged when %s denies', async (name) => {
      const tiers = [day, hour, minute].map((each) => (each.name === name ? { ...each, cost: 3 } : each));
      const limiter = limiterOf(newStore(), ...tiers);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      const expected = { day: 4, hour: 4, minute: 4, [name]: 2 };
      expect(denied).toMatchObject({ allowed: false, deniedBy: [name] });
      expect(remainingIn(denied)).toEqual(expected);
      expect(remainingIn(await limiter.peek(caller))).toEqual(expected);
    });

    it('report the real remaining units after a denial', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 5));
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

    it('is charged by an admitted request that fits it', async () => {
      const decision = await limiterOf(newStore(), tier('hour', 5), watching).consume(newCaller());

      expect(remainingIn(decision)).toEqual({ hour: 4, watching: 1 });
      expect(decision.outcomes.map((each) => each.shadow)).toEqual([false, true]);
    });

    it('is not charged by a request that does not fit it, and never denies', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 9), watching);
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
      expect(remainingIn(decision)).toEqual({ hour: 6, watching: 1 });
    });

    it('is not charged when an enforced tier denies', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1), watching);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied.deniedBy).toEqual(['hour']);
      expect(remainingIn(denied)).toEqual({ hour: 0, watching: 1 });
    });

    it('never denies, even a cost above its capacity', async () => {
      const decision = await limiterOf(newStore(), tier('hour', 9), watching).consume(newCaller(), { cost: 3 });

      expect(decision).toMatchObject({ allowed: true, reason: 'ok', retryAfter: 0 });
      expect(decision.outcomes[1]).toMatchObject({ allowed: false, never: true, remaining: 2 });
    });
  });

  describe('a tier that charges all requests', () => {
    const tries = tier('tries', 5, { charge: 'all' });

    it('is charged by a request that another tier denies', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1), tries);
      const caller = newCaller();
      await limiter.consume(caller);

      const denied = await limiter.consume(caller);

      expect(denied).toMatchObject({ allowed: false, deniedBy: ['hour'] });
      expect(remainingIn(denied)).toEqual({ tries: 3, hour: 0 });
      expect(remainingIn(await limiter.peek(caller))).toEqual({ tries: 3, hour: 0 });
    });

    it('is charged up to full by a request that it denies', async () => {
      const limiter = limiterOf(newStore(), tries);
      const caller = newCaller();
      await limiter.consume(caller, { cost: 3 });

      const denied = await limiter.consume(caller, { cost: 3 });

      expect(denied).toMatchObject({ allowed: false, deniedBy: ['tries'] });
      expect(remainingIn(denied)).toEqual({ tries: 0 });
    });

    it('is charged up to full by a cost that never fits', async () => {
      const denied = await limiterOf(newStore(), tries).consume(newCaller(), { cost: 6 });

      expect(denied).toMatchObject({ allowed: false, reason: 'never' });
      expect(remainingIn(denied)).toEqual({ tries: 0 });
    });

    it('delays a client by one refill at most', async () => {
      const bucket = tier('tries', 5, { algorithm: 'token-bucket', charge: 'all' });
      const limiter = limiterOf(newStore(), bucket);
      const caller = newCaller();

      const decisions: Decision[] = [];
      for (let attempt = 0; attempt < 12; attempt += 1) decisions.push(await limiter.consume(caller));

      expect(decisions.map((each) => each.allowed)).toEqual(Array.from({ length: 12 }, (_, attempt) => attempt < 5));
      expect(Math.max(...decisions.map((each) => each.outcomes[0]!.resetAfter))).toBeLessThanOrEqual(3_600_000);
      expect(decisions.at(-1)!.retryAfter).toBeLessThanOrEqual(720_000);
    });

    it('is charged in shadow mode by requests that others deny', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1), { ...tries, mode: 'shadow' });
      const caller = newCaller();
      await limiter.consume(caller);

      expect(remainingIn(await limiter.consume(caller))).toEqual({ tries: 3, hour: 0 });
    });
  });
});
