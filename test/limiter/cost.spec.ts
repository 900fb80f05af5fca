import type { Tier } from '@sluice/core';
import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

onEveryStore((newStore) => {
  describe('cost', () => {
    it('is one unit, or the cost of the call', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 10));
      const caller = newCaller();

      const decisions = [await limiter.consume(caller), await limiter.consume(caller, { cost: 4 })];

      expect(decisions.map(remainingIn)).toEqual([{ hour: 9 }, { hour: 5 }]);
    });

    it('is that of the tier where the tier has one, also by a function of the subject', async () => {
      const tokens = tier('tokens', 1_000, { cost: async ({ user }) => user.length });
      const limiter = limiterOf(newStore(), tier('requests', 10), tokens, tier('pages', 100, { cost: 30 }));
      const caller = newCaller();

      const decision = await limiter.consume(caller, { cost: 2 });

      expect(remainingIn(decision)).toEqual({ tokens: 1_000 - caller.user.length, pages: 70, requests: 8 });
    });

    it('of 0 reads a tier without charging it, even when it is full', async () => {
      const limiter = limiterOf(newStore(), tier('writes', 5, { cost: () => 0 }), tier('requests', 5));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 5 });

      const decision = await limiter.consume(caller, { cost: 0 });

      expect(decision).toMatchObject({ allowed: true, retryAfter: 0 });
      expect(remainingIn(decision)).toEqual({ writes: 5, requests: 0 });
    });

    it.each<[string, Tier<Caller>, number]>([
      ['limit of a window', tier('tier', 5), 6],
      ['burst of a bucket', tier('tier', 5, { algorithm: 'token-bucket', burst: 3 }), 4],
      ['places of a queue', tier('tier', 5, { algorithm: 'leaky-bucket', queue: 2 }), 4],
    ])('above the %s never fits, and charges nothing', async (_what, given, cost) => {
      const limiter = limiterOf(newStore(), tier('other', 10), given);
      const caller = newCaller();

      const denied = await limiter.consume(caller, { cost });
      const fitting = await limiter.consume(caller, { cost: cost - 1 });

      expect(denied).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['tier'], retryAfter: Infinity });
      expect(denied.binding).toMatchObject({ tier: 'tier', allowed: false, never: true, remaining: cost - 1 });
      expect(fitting.allowed).toBe(true);
    });
  });

  describe('cost with aboveFull: all', () => {
    it('above the capacity requests all of the budget, and no other tier', async () => {
      const limiter = limiterOf(newStore(), tier('other', 100), tier('tokens', 20, { aboveFull: 'all' }));
      const caller = newCaller();

      const decisions = [await limiter.peek(caller, { cost: 60 }), await limiter.consume(caller, { cost: 60 })];
      const denied = await limiter.consume(caller, { cost: 30 });

      expect(decisions.map(remainingIn)).toEqual([
        { other: 100, tokens: 20 },
        { other: 40, tokens: 0 },
      ]);
      expect(denied).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['tokens'] });
      expect(Number.isFinite(denied.retryAfter)).toBe(true);
    });

    it('is settled from what was charged', async () => {
      const limiter = limiterOf(newStore(), tier('tokens', 20, { aboveFull: 'all', cost: 4_096 }));
      const caller = newCaller();
      const decision = await limiter.consume(caller);

      expect(await limiter.settle(decision, { tokens: 12 })).toBe(-8);
      expect(remainingIn(await limiter.peek(caller, { cost: 0 }))).toEqual({ tokens: 8 });
    });

    it('follows a limit that is a function, and never fits a limit of 0', async () => {
      let limit = 5;
      const limiter = limiterOf(newStore(), tier('tokens', 1, { aboveFull: 'all', limit: () => limit, cost: 9 }));
      const caller = newCaller();

      const first = await limiter.consume(caller);
      limit = 0;

      expect(remainingIn(first)).toEqual({ tokens: 0 });
      expect(first.allowed).toBe(true);
      expect((await limiter.consume(caller)).reason).toBe('never');
    });
  });

  describe('peek', () => {
    it('answers as consume would, and changes nothing', async () => {
      const limiter = limiterOf(
        newStore(),
        tier('hour', 5),
        tier('watching', 2, { mode: 'shadow' }),
        tier('tries', 3, { charge: 'all' }),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      const peeks = [await limiter.peek(caller), await limiter.peek(caller, { cost: 5 }), await limiter.peek(caller)];

      expect(peeks.map(({ allowed }) => allowed)).toEqual([true, false, true]);
      expect(peeks[1]).toMatchObject({ reason: 'never', deniedBy: ['hour', 'tries'] });
      expect(peeks.map(remainingIn)).toEqual(peeks.map(() => ({ hour: 4, tries: 2, watching: 1 })));
    });
  });

  describe('reset', () => {
    const tiers = [tier('hour', 5), tier('minute', 5, { window: '1m' })];

    it('forgets the units of one subject', async () => {
      const limiter = limiterOf(newStore(), ...tiers);
      const [caller, other] = [newCaller(), newCaller()];
      await limiter.consume(caller, { cost: 3 });
      await limiter.consume(other, { cost: 3 });

      await limiter.reset(caller);

      expect(remainingIn(await limiter.peek(caller))).toEqual({ hour: 5, minute: 5 });
      expect(remainingIn(await limiter.peek(other))).toEqual({ hour: 2, minute: 2 });
    });

    it('forgets named tiers alone', async () => {
      const limiter = limiterOf(newStore(), ...tiers);
      const caller = newCaller();
      await limiter.consume(caller);

      await limiter.reset(caller, { tiers: ['minute'] });
      await limiter.reset(caller, { tiers: [] });

      expect(remainingIn(await limiter.peek(caller))).toEqual({ hour: 4, minute: 5 });
    });

    it('rejects an unknown tier, and forgets nothing', async () => {
      const limiter = limiterOf(newStore(), ...tiers);
      const caller = newCaller();
      await limiter.consume(caller);

      await expect(limiter.reset(caller, { tiers: ['minute', 'second'] })).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(/hour, minute.*"second"/),
      });
      expect(remainingIn(await limiter.peek(caller))).toEqual({ hour: 4, minute: 4 });
    });
  });

  describe('inspect', () => {
    it('returns the outcome and the recorded texts of each tier, newest first, until a reset', async () => {
      const paths = ['/a', '/b', '/c'];
      const recording = tier('hour', 5, { record: async () => paths.shift() });
      const limiter = limiterOf(newStore(), recording, tier('minute', 5, { window: '1m' }));
      const caller = newCaller();
      for (let count = 0; count < 4; count += 1) await limiter.consume(caller);

      const inspections = await limiter.inspect(caller);
      await limiter.reset(caller);

      expect(inspections).toMatchObject([
        { outcome: { tier: 'hour', allowed: true, remaining: 1 }, recorded: ['/c', '/b', '/a'] },
        { outcome: { tier: 'minute', allowed: true, remaining: 1 }, recorded: [] },
      ]);
      expect(await limiter.inspect(caller)).toMatchObject([{ recorded: [] }, { recorded: [] }]);
    });

    it('returns no text of a request that a limit of 0 denied', async () => {
      const limiter = limiterOf(
        newStore(),
        tier('hour', 5, { charge: 'all', record: () => 'denied' }),
        tier('none', 5, { limit: () => 0 }),
      );
      const caller = newCaller();
      const denied = await limiter.consume(caller);

      const inspected = await limiter.inspect(caller, { tiers: ['hour'] });

      expect(denied.reason).toBe('never');
      expect(inspected).toMatchObject([{ outcome: { remaining: 4 }, recorded: [] }]);
    });

    it('changes nothing, and calls neither cost nor record', async () => {
      const fail = () => {
        throw new Error('an operator has only the key');
      };
      const limiter = limiterOf(newStore(), tier('hour', 5, { cost: fail, record: fail }));
      const caller = newCaller();

      const inspections = [await limiter.inspect(caller), await limiter.inspect(caller)];

      expect(inspections.map(([hour]) => hour!.outcome.remaining)).toEqual([5, 5]);
    });

    it('cuts a recorded text to 64 bytes, in whole characters', async () => {
      const texts = ['x'.repeat(65), 'é'.repeat(40), `${'x'.repeat(62)}😀`, `${'x'.repeat(60)}😀`, ''];
      const limiter = limiterOf(newStore(), tier('hour', 9, { record: () => texts.shift() }));
      const caller = newCaller();
      for (let count = 0; count < 5; count += 1) await limiter.consume(caller);

      const [hour] = await limiter.inspect(caller);

      expect(hour!.recorded).toEqual([`${'x'.repeat(60)}😀`, 'x'.repeat(62), 'é'.repeat(32), 'x'.repeat(64)]);
    });
  });
});
