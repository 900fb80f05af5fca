import { createLimiter, type Decision, type Limiter, type Tier } from '@sluice/core';

import { newCaller, onEveryStore, tier, type Caller } from './stores.js';

// 'What a check means', rules 3 to 5.

onEveryStore((newStore) => {
  function limiterOf(...tiers: Tier<Caller>[]): Limiter<Caller> {
    return createLimiter({ store: newStore(), tiers });
  }

  async function leftOf(limiter: Limiter<Caller>, caller: Caller): Promise<Record<string, number>> {
    return left(await limiter.peek(caller));
  }

  describe('cost', () => {
    it('is one unit, or as many as the request says', async () => {
      const limiter = limiterOf(tier('hour', 10));
      const caller = newCaller();

      const decisions = [await limiter.consume(caller), await limiter.consume(caller, { cost: 4 })];

      expect(decisions.map(left)).toEqual([{ hour: 9 }, { hour: 5 }]);
    });

    it('is per tier where a tier has one, so that requests and tokens are limited together', async () => {
      const tokens = tier('tokens', 1_000, { cost: async () => 250 });
      const limiter = limiterOf(tier('requests', 10), tokens, tier('pages', 100, { cost: 30 }));
      const caller = newCaller();

      const decision = await limiter.consume(caller, { cost: 2 });

      expect(left(decision)).toEqual({ tokens: 750, pages: 70, requests: 8 });
    });

    it('of a tier may depend on the subject', async () => {
      const limiter = limiterOf(tier('units', 100, { cost: ({ user }) => user.length }));
      const caller = newCaller();

      expect(left(await limiter.consume(caller))).toEqual({ units: 100 - caller.user.length });
    });

    it('of 0 reads a tier and does not charge it, even when it is full', async () => {
      const limiter = limiterOf(tier('hour', 5));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 5 });

      const decision = await limiter.consume(caller, { cost: 0 });

      expect(decision).toMatchObject({ allowed: true, retryAfter: 0, outcomes: [{ allowed: true, remaining: 0 }] });
    });

    it('of 0 in one tier leaves the others charged', async () => {
      const limiter = limiterOf(tier('writes', 5, { cost: () => 0 }), tier('requests', 5));

      expect(left(await limiter.consume(newCaller()))).toEqual({ writes: 5, requests: 4 });
    });

    it.each<[string, Tier<Caller>, number]>([
      ['limit of a window', tier('tier', 5), 6],
      ['burst of a bucket', tier('tier', 5, { algorithm: 'token-bucket', burst: 3 }), 4],
      ['places of a queue', tier('tier', 5, { algorithm: 'leaky-bucket', queue: 2 }), 4],
    ])('above the %s never fits, and charges nothing', async (_what, given, cost) => {
      const limiter = limiterOf(tier('other', 10), given);
      const caller = newCaller();

      const denied = await limiter.consume(caller, { cost });
      const fitting = await limiter.consume(caller, { cost: cost - 1 });

      expect(denied).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['tier'], retryAfter: Infinity });
      expect(denied.binding).toMatchObject({ tier: 'tier', allowed: false, never: true, remaining: cost - 1 });
      expect(fitting.allowed).toBe(true);
    });
  });

  describe('peek', () => {
    it('answers as consume would and changes nothing', async () => {
      const limiter = limiterOf(
        tier('hour', 5),
        tier('watching', 2, { mode: 'shadow' }),
        tier('tries', 3, { countDenied: true }),
      );
      const caller = newCaller();
      await limiter.consume(caller);

      const peeks = [await limiter.peek(caller), await limiter.peek(caller, { cost: 5 }), await limiter.peek(caller)];

      expect(peeks.map((each) => each.allowed)).toEqual([true, false, true]);
      expect(peeks[1]).toMatchObject({ reason: 'never', deniedBy: ['hour', 'tries'] });
      expect(peeks.map(left)).toEqual(peeks.map(() => ({ hour: 4, tries: 2, watching: 1 })));
    });
  });

  describe('refund', () => {
    it('gives back all that a decision took, and resolves to the units given', async () => {
      const limiter = limiterOf(
        tier('hour', 9),
        tier('tokens', 50, { cost: 20 }),
        tier('watching', 5, { mode: 'shadow' }),
      );
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 3 });

      const given = await limiter.refund(decision);

      expect(given).toBe(3 + 20 + 3);
      expect(await leftOf(limiter, caller)).toEqual({ tokens: 50, hour: 9, watching: 5 });
    });

    it('gives back at most so many units of each tier', async () => {
      const limiter = limiterOf(tier('hour', 9), tier('tokens', 50, { cost: 20 }));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 3 });

      const given = await limiter.refund(decision, 5);

      expect(given).toBe(3 + 5);
      expect(await leftOf(limiter, caller)).toEqual({ tokens: 35, hour: 9 });
    });

    it.each([[undefined], [1]])('happens once: after %p a second call gives 0', async (units) => {
      const limiter = limiterOf(tier('hour', 9));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 3 });
      const decision = await limiter.consume(caller, { cost: 3 });
      await limiter.refund(decision, units);
      const before = await leftOf(limiter, caller);

      const given = await limiter.refund(decision);

      expect(given).toBe(0);
      expect(await leftOf(limiter, caller)).toEqual(before);
    });

    it('happens once, also when it is asked for twice at the same time', async () => {
      const limiter = limiterOf(tier('hour', 9));
      const caller = newCaller();
      await limiter.consume(caller, { cost: 3 });
      const decision = await limiter.consume(caller, { cost: 3 });

      const given = await Promise.all([limiter.refund(decision), limiter.refund(decision)]);

      expect(given).toEqual([3, 0]);
      expect(await leftOf(limiter, caller)).toEqual({ hour: 6 });
    });

    it('of a denied decision gives what was counted in spite of it, and nothing else', async () => {
      const limiter = limiterOf(tier('hour', 1), tier('tries', 5, { countDenied: true }));
      const caller = newCaller();
      await limiter.consume(caller);
      const denied = await limiter.consume(caller);

      const given = await limiter.refund(denied);

      expect(given).toBe(1);
      expect(await leftOf(limiter, caller)).toEqual({ tries: 4, hour: 0 });
    });

    it('gives 0 for a decision that took nothing', async () => {
      const limiter = limiterOf(tier('hour', 1));
      const caller = newCaller();
      const free = await limiter.consume(caller, { cost: 0 });
      await limiter.consume(caller);
      const denied = await limiter.consume(caller);

      expect([await limiter.refund(free), await limiter.refund(denied)]).toEqual([0, 0]);
      expect(await leftOf(limiter, caller)).toEqual({ hour: 0 });
    });

    it('gives 0 after a reset, and takes nothing from what was spent since', async () => {
      const limiter = limiterOf(tier('log', 5, { algorithm: 'sliding-window-log' }));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 2 });
      await limiter.reset(caller);

      expect(await limiter.refund(decision)).toBe(0);
      expect(await leftOf(limiter, caller)).toEqual({ log: 5 });
    });
  });

  describe('a refund of named tiers', () => {
    it('gives back at most that much of each, and nothing of the others', async () => {
      const limiter = limiterOf(tier('requests', 10, { cost: 1 }), tier('tokens', 1_000));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 500 });

      const given = await limiter.refund(decision, { tokens: 200 });

      expect(given).toBe(200);
      expect(await leftOf(limiter, caller)).toEqual({ requests: 9, tokens: 700 });
    });
  });

  describe('settle', () => {
    it('gives back what was reserved too much', async () => {
      const limiter = limiterOf(tier('hour', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 40 });

      await limiter.settle(decision, 25);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 75 });
    });

    it('charges what was reserved too little', async () => {
      const limiter = limiterOf(tier('hour', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 40 });

      await limiter.settle(decision, 65);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 35 });
    });

    it.each([0, 40])('stops at full, having reserved %d', async (reserved) => {
      const limiter = limiterOf(tier('hour', 100), tier('bucket', 100, { algorithm: 'token-bucket', window: '1d' }));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: reserved });

      await limiter.settle(decision, 1_000);

      expect(await leftOf(limiter, caller)).toEqual({ bucket: 0, hour: 0 });
    });

    it('charges a cost of which nothing was reserved', async () => {
      const limiter = limiterOf(tier('hour', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 0 });

      await limiter.settle(decision, 30);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 70 });
    });

    it('changes nothing where the reserved cost was the real one', async () => {
      const limiter = limiterOf(tier('hour', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 30 });

      await limiter.settle(decision, 30);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 70 });
    });

    it('puts tokens right that were reserved beside requests', async () => {
      const tokens = tier('tokens', 10_000, { cost: () => 4_000 });
      const limiter = limiterOf(tier('requests', 10), tokens);
      const caller = newCaller();
      const [short, long] = [await limiter.consume(caller), await limiter.consume(caller)];

      await limiter.settle(short, { tokens: 1_500 });
      await limiter.settle(long, { tokens: 4_500 });

      expect(await leftOf(limiter, caller)).toEqual({ tokens: 4_000, requests: 8 });
    });

    it('by a number leaves tiers alone that have a cost of their own', async () => {
      const limiter = limiterOf(tier('requests', 10, { cost: 1 }), tier('tokens', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 50 });

      await limiter.settle(decision, 20);

      expect(await leftOf(limiter, caller)).toEqual({ tokens: 80, requests: 9 });
    });

    it('leaves a tier alone that is not named, whatever it is called', async () => {
      const limiter = limiterOf(tier('constructor', 10), tier('hour', 5));
      const caller = newCaller();
      const decision = await limiter.consume(caller);

      await limiter.settle(decision, { hour: 3 });

      expect(left(await limiter.consume(caller))).toEqual({ constructor: 8, hour: 1 });
    });

    it('of a tier that does not exist is an error, and does not spend the decision', async () => {
      const limiter = limiterOf(tier('input', 100), tier('output', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 50 });

      await expect(limiter.settle(decision, { ouput: 5 })).rejects.toMatchObject({
        code: 'USAGE_INVALID',
        message: expect.stringContaining('(input, output), got "ouput"'),
      });
      expect(await limiter.refund(decision)).toBe(100);
    });

    it('of a number, where every tier has a cost of its own, is an error that does not spend the decision', async () => {
      const limiter = limiterOf(tier('requests', 10, { cost: 1 }), tier('tokens', 100, { cost: () => 40 }));
      const caller = newCaller();
      const decision = await limiter.consume(caller);

      await expect(limiter.settle(decision, 15)).rejects.toMatchObject({
        code: 'USAGE_INVALID',
        message: expect.stringContaining('name them'),
      });
      await limiter.settle(decision, { tokens: 15 });

      expect(await leftOf(limiter, caller)).toEqual({ requests: 9, tokens: 85 });
    });

    it('says how many units it has charged besides or given back', async () => {
      const limiter = limiterOf(tier('input', 100), tier('output', 100));
      const caller = newCaller();
      const [one, other] = [await limiter.consume(caller, { cost: 50 }), await limiter.consume(caller, { cost: 10 })];

      const less = await limiter.settle(one, { input: 20 });
      const more = await limiter.settle(other, { output: 500 });

      expect([less, more]).toEqual([-30, 40]);
    });

    it('can give back in one tier and charge in another', async () => {
      const limiter = limiterOf(tier('input', 100), tier('output', 100), tier('requests', 10, { cost: 1 }));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 50 });

      await limiter.settle(decision, { input: 20, output: 70 });

      expect(await leftOf(limiter, caller)).toEqual({ input: 80, output: 30, requests: 9 });
    });

    it('charges no tier of a request that was denied', async () => {
      const limiter = limiterOf(tier('hour', 10), tier('minute', 1, { window: '1m' }));
      const caller = newCaller();
      await limiter.consume(caller);
      const denied = await limiter.consume(caller);

      await limiter.settle(denied, 5);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 9, minute: 0 });
    });

    it('charges a shadow tier only where it took the request', async () => {
      const limiter = limiterOf(
        tier('hour', 90),
        tier('narrow', 5, { mode: 'shadow' }),
        tier('wide', 50, { mode: 'shadow' }),
      );
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 10 });

      await limiter.settle(decision, 20);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 70, wide: 30, narrow: 5 });
    });

    it('happens once, like a refund', async () => {
      const limiter = limiterOf(tier('hour', 100));
      const caller = newCaller();
      const decision = await limiter.consume(caller, { cost: 40 });
      await limiter.settle(decision, 25);

      await limiter.settle(decision, 50);

      expect(await limiter.refund(decision)).toBe(0);
      expect(await leftOf(limiter, caller)).toEqual({ hour: 75 });
    });
  });

  describe('reset', () => {
    it('forgets what a subject has used, and nobody else', async () => {
      const limiter = limiterOf(tier('hour', 5), tier('minute', 5, { window: '1m' }));
      const [caller, other] = [newCaller(), newCaller()];
      await limiter.consume(caller, { cost: 3 });
      await limiter.consume(other, { cost: 3 });

      await limiter.reset(caller);

      expect(await leftOf(limiter, caller)).toEqual({ hour: 5, minute: 5 });
      expect(await leftOf(limiter, other)).toEqual({ hour: 2, minute: 2 });
    });

    it('forgets the tiers that are named', async () => {
      const limiter = limiterOf(tier('hour', 5), tier('minute', 5, { window: '1m' }));
      const caller = newCaller();
      await limiter.consume(caller);

      await limiter.reset(caller, { tiers: ['minute'] });
      await limiter.reset(caller, { tiers: [] });

      expect(await leftOf(limiter, caller)).toEqual({ hour: 4, minute: 5 });
    });

    it('of a tier that does not exist is an error, and forgets nothing', async () => {
      const limiter = limiterOf(tier('hour', 5), tier('minute', 5, { window: '1m' }));
      const caller = newCaller();
      await limiter.consume(caller);

      const reset = limiter.reset(caller, { tiers: ['minute', 'second'] });

      await expect(reset).rejects.toMatchObject({
        name: 'UsageError',
        message: 'reset: tiers must name tiers of this limiter (hour, minute), got "second"',
      });
      expect(await leftOf(limiter, caller)).toEqual({ hour: 4, minute: 4 });
    });
  });

  describe('inspect', () => {
    it('gives the outcome and the recorded texts of each tier, newest first', async () => {
      const paths = ['/a', '/b', '/c'];
      const noted = tier('hour', 5, { record: () => paths.shift() });
      const limiter = limiterOf(noted, tier('minute', 5, { window: '1m' }));
      const caller = newCaller();
      for (let count = 0; count < 4; count += 1) await limiter.consume(caller);

      const inspections = await limiter.inspect(caller);

      expect(inspections).toMatchObject([
        { outcome: { tier: 'hour', allowed: true, remaining: 1 }, recorded: ['/c', '/b', '/a'] },
        { outcome: { tier: 'minute', allowed: true, remaining: 1 }, recorded: [] },
      ]);
    });

    it('shows no text of a request that a limit of 0 denied', async () => {
      const limiter = limiterOf(
        tier('hour', 5, { countDenied: true, record: () => 'denied' }),
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
        throw new Error('an operator knows no more than the key');
      };
      const limiter = limiterOf(tier('hour', 5, { cost: fail, record: fail }));
      const caller = newCaller();

      const inspections = [await limiter.inspect(caller), await limiter.inspect(caller)];

      expect(inspections.map(([hour]) => hour!.outcome.remaining)).toEqual([5, 5]);
    });

    it('keeps of a recorded text what fits 64 bytes, in whole characters', async () => {
      const texts = ['x'.repeat(65), 'é'.repeat(40), `${'x'.repeat(62)}😀`, `${'x'.repeat(60)}😀`, ''];
      const limiter = limiterOf(tier('hour', 9, { record: () => texts.shift() }));
      const caller = newCaller();
      for (let count = 0; count < 5; count += 1) await limiter.consume(caller);

      const [hour] = await limiter.inspect(caller);

      expect(hour!.recorded).toEqual([`${'x'.repeat(60)}😀`, 'x'.repeat(62), 'é'.repeat(32), 'x'.repeat(64)]);
    });

    it('forgets what was reset', async () => {
      const limiter = limiterOf(tier('hour', 5, { record: async () => '/a' }));
      const caller = newCaller();
      await limiter.consume(caller);

      await limiter.reset(caller);

      expect(await limiter.inspect(caller)).toMatchObject([{ outcome: { remaining: 5 }, recorded: [] }]);
    });
  });
});

function left({ outcomes }: Decision): Record<string, number> {
  return Object.fromEntries(outcomes.map((each) => [each.tier, each.remaining]));
}
