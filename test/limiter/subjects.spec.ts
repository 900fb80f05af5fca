import { createLimiter, type Tier } from '@sluice/core';
import { limiterOf, newCaller, onEveryStore, remainingIn, tier, type Caller } from './every-store.js';

onEveryStore((newStore) => {
  describe.each<[string, (limit: number | null) => () => number | null | Promise<number | null>]>([
    ['a function', (limit) => () => limit],
    ['an async function', (limit) => async () => limit],
  ])('a limit by %s', (_kind, returning) => {
    it('is the limit of the subject', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1, { limit: returning(7) }));

      expect((await limiter.consume(newCaller())).outcomes).toMatchObject([{ limit: 7, remaining: 6 }]);
    });

    it('of 0 never fits, and charges nothing', async () => {
      const limiter = limiterOf(newStore(), tier('day', 5, { window: '1d' }), tier('hour', 1, { limit: returning(0) }));
      const caller = newCaller();

      const denied = await limiter.consume(caller);

      expect(denied).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['hour'], retryAfter: Infinity });
      expect(denied.binding).toMatchObject({ tier: 'hour', never: true, limit: 0, remaining: 0 });
      expect(remainingIn(denied)).toEqual({ day: 5, hour: 0 });
      expect(remainingIn(await limiter.peek(caller))).toEqual({ day: 5, hour: 0 });
    });

    it('of 0 admits a cost of 0', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1, { limit: returning(0) }));

      const decision = await limiter.consume(newCaller(), { cost: 0 });

      expect(decision).toMatchObject({
        allowed: true,
        reason: 'ok',
        retryAfter: 0,
        outcomes: [{ never: false, limit: 0 }],
      });
    });

    it('of 0 never denies in shadow mode', async () => {
      const limiter = limiterOf(newStore(), tier('day', 5), tier('hour', 1, { mode: 'shadow', limit: returning(0) }));

      const decision = await limiter.consume(newCaller());

      expect(decision).toMatchObject({ allowed: true, deniedBy: [] });
      expect(remainingIn(decision)).toEqual({ hour: 0, day: 4 });
    });

    it('of 0 charges tiers that charge all requests, which a refund returns', async () => {
      const tries = tier('tries', 5, { charge: 'all' });
      const watching = tier('watching', 5, { mode: 'shadow' });
      const limiter = limiterOf(newStore(), tries, watching, tier('hour', 1, { limit: returning(0) }));
      const caller = newCaller();

      const denied = await limiter.consume(caller, { cost: 2 });

      expect(denied).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['hour'] });
      expect(remainingIn(denied)).toEqual({ hour: 0, tries: 3, watching: 5 });
      expect(await limiter.refund(denied)).toBe(2);
      expect(remainingIn(await limiter.peek(caller))).toEqual({ hour: 0, tries: 5, watching: 5 });
    });

    it.each([
      ['a backoff', { algorithm: 'backoff', delays: ['1h'], window: '1d', limit: 1 }],
      ['a rate', { algorithm: 'fixed-window', window: '1h', limit: 2 }],
    ] as const)('of 0 denies with the ban that it begins, by %s', async (_name, options) => {
      const zero = tier('zero', 1, { limit: returning(0) });
      const full = tier('zero', 1);
      const ban = { name: 'ban', key: tier('ban', 1).key, charge: 'denied', ...options } as Tier<Caller>;
      const store = newStore();
      const strike = async (other: Tier<Caller>, prefix: string) => {
        const limiter = createLimiter({ store, prefix, tiers: [other, ban] });
        const caller = newCaller();
        const denials = [];
        for (let request = 0; request < 4; request += 1) denials.push(await limiter.consume(caller));
        return denials
          .filter(({ allowed }) => !allowed)
          .map(({ outcomes }) => outcomes.find((each) => each.tier === 'ban'));
      };

      const [known, here] = [await strike(full, 'one'), await strike(zero, 'two')];

      const facts = (outcomes: typeof known) =>
        outcomes
          .slice(0, 3)
          .map((each) => ({ ...each, retryAfter: each!.retryAfter > 0, replenishAfter: 0, resetAfter: 0 }));
      expect(facts(here)).toEqual(facts(known));
      expect(here.map((each) => each!.allowed)).toEqual([true, false, false, false]);
      expect(here[0]).toMatchObject({ held: true });
    });

    it('of 0 appears in inspect', async () => {
      const limiter = limiterOf(
        newStore(),
        tier('day', 5),
        tier('hour', 1, { limit: returning(0), record: () => 'text' }),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      expect(await limiter.inspect(caller)).toMatchObject([
        { outcome: { tier: 'hour', limit: 0, never: true }, recorded: [] },
        { outcome: { tier: 'day', remaining: 5 }, recorded: [] },
      ]);
    });

    it('of null leaves the tier out', async () => {
      const limiter = limiterOf(newStore(), tier('hour', 1, { limit: returning(null) }), tier('day', 5));
      const caller = newCaller();

      const decision = await limiter.consume(caller);

      expect(decision.outcomes.map((each) => each.tier)).toEqual(['day']);
      expect(await limiter.inspect(caller)).toHaveLength(1);
    });

    it('of null in all tiers allows the request without the store', async () => {
      const limiter = limiterOf(
        newStore(),
        tier('hour', 1, { limit: returning(null) }),
        tier('day', 5, { limit: returning(null) }),
      );
      const caller = newCaller();

      const decisions = [await limiter.consume(caller, { cost: 50 }), await limiter.peek(caller)];

      for (const decision of decisions) {
        expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], deniedBy: [], source: 'none' });
        expect(decision).not.toHaveProperty('binding');
      }
      expect(await limiter.refund(decisions[0]!)).toBe(0);
      await limiter.settle(await limiter.consume(caller), 5);
      expect(await limiter.inspect(caller)).toEqual([]);
    });

    it('applies to the existing state when it changes', async () => {
      let limit = 5;
      const limiter = limiterOf(newStore(), tier('hour', 1, { limit: () => returning(limit)() }));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 4 });

      limit = 10;
      const raised = await limiter.consume(caller, { cost: 3 });
      limit = 6;
      const cut = await limiter.consume(caller);
      limit = 8;
      const again = await limiter.consume(caller);

      expect(raised).toMatchObject({ allowed: true, outcomes: [{ limit: 10, remaining: 3 }] });
      expect(cut).toMatchObject({ allowed: false, outcomes: [{ limit: 6, remaining: 0 }] });
      expect(again).toMatchObject({ allowed: true, outcomes: [{ limit: 8, remaining: 0 }] });
    });
  });

  it('a bucket of a fixed burst keeps its spent units, and refills them at the limit that charged them', async () => {
    let limit = 10;
    const bucket = { name: 'hour', key: ({ user }: Caller) => user, algorithm: 'token-bucket', window: '1h' } as const;
    const limiter = createLimiter({ store: newStore(), tiers: [{ ...bucket, burst: 20, limit: () => limit }] });
    const caller = newCaller();
    await limiter.consume(caller, { cost: 5 });

    limit = 40;
    const raised = await limiter.consume(caller, { cost: 0 });

    // Half an hour is what five units take at 10 an hour.
    expect(raised.outcomes).toMatchObject([{ limit: 20, remaining: 15 }]);
    expect(raised.outcomes[0]!.resetAfter).toBeGreaterThan(1_700_000);
    expect(raised.outcomes[0]!.resetAfter).toBeLessThanOrEqual(1_800_000);
  });

  describe('plans', () => {
    const free = [tier('free hour', 2)];
    const paid = [tier('paid hour', 50), tier('paid day', 200, { window: '1d' })];

    it.each<
      [string, (caller: Caller & { paid: boolean }) => readonly Tier<Caller>[] | Promise<readonly Tier<Caller>[]>]
    >([
      ['a function', (caller) => (caller.paid ? paid : free)],
      ['an async function', async (caller) => (caller.paid ? paid : free)],
    ])('are chosen by %s', async (_kind, tiers) => {
      const limiter = createLimiter({ store: newStore(), tiers });
      const { user } = newCaller();

      const poor = await limiter.consume({ user, paid: false }, { cost: 2 });
      const rich = await limiter.consume({ user, paid: true }, { cost: 2 });

      expect(remainingIn(poor)).toEqual({ 'free hour': 0 });
      expect(remainingIn(rich)).toEqual({ 'paid day': 198, 'paid hour': 48 });
      expect(remainingIn(await limiter.peek({ user, paid: false }))).toEqual({ 'free hour': 0 });
    });

    it('apply to reset, inspect, refund and settle', async () => {
      const limiter = createLimiter<Caller & { paid: boolean }>({
        store: newStore(),
        tiers: (caller) => (caller.paid ? paid : free),
      });
      const caller = { ...newCaller(), paid: true };
      const [one, other] = [await limiter.consume(caller), await limiter.consume(caller)];

      await limiter.refund(one);
      await limiter.settle(other, { 'paid day': 5, 'free hour': 9 });

      const inspected = await limiter.inspect(caller);
      expect(inspected.map((each) => each.outcome.remaining)).toEqual([195, 49]);
      await expect(limiter.reset(caller, { tiers: ['free hour'] })).rejects.toThrow('(paid day, paid hour)');
      await limiter.reset(caller);
      expect(remainingIn(await limiter.peek(caller))).toEqual({ 'paid day': 200, 'paid hour': 50 });
    });
  });

  describe('partition', () => {
    it('keeps the budgets of identities apart in one slot', async () => {
      const limiter = createLimiter<Caller & { tenant: string }>({
        store: newStore(),
        partition: async ({ tenant }) => tenant,
        tiers: [tier('hour', 5), { ...tier('tenant', 8), key: ({ tenant }) => tenant }],
      });
      const { user: tenant } = newCaller();
      const [one, other] = [newCaller(), newCaller()].map((caller) => ({ ...caller, tenant }));

      const decisions = [await limiter.consume(one!, { cost: 4 }), await limiter.consume(other!, { cost: 4 })];
      const denied = await limiter.consume(other!);

      expect(decisions.map(remainingIn)).toEqual([
        { tenant: 4, hour: 1 },
        { tenant: 0, hour: 1 },
      ]);
      expect(denied.deniedBy).toEqual(['tenant']);
      expect(remainingIn(denied)).toEqual({ tenant: 0, hour: 1 });
    });
  });
});
