import { UsageError } from '../model/errors.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { fakeClock } from '../testing/clock.js';
import { SAMPLES } from '../testing/suite/samples.js';
import type { CostOptions } from './arguments.js';
import { createLimiter } from './limiter.js';
import type { Tier } from './tiers/tier.js';

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 10, window: '1h' };

describe('a limiter in memory', () => {
  it('decides at once, without a promise, where no function is async', () => {
    const limiter = createLimiter({
      tiers: [
        { ...hour, limit: () => 10, cost: () => 2, record: () => 'text' },
        { ...hour, name: 'other' },
      ],
      partition: () => 'tenant',
    });

    const decisions = [limiter.consume({}), limiter.peek({})];

    expect(decisions).toMatchObject([{ allowed: true }, { allowed: true }]);
    expect(decisions.some((each) => each instanceof Promise)).toBe(false);
  });

  it('decides at once where plans are told at once, and where a limit of 0 denies', () => {
    const denying = [
      { ...hour, name: 'denying', limit: () => 0 },
      { ...hour, countDenied: true },
    ];
    const limiter = createLimiter({ tiers: () => denying });

    expect(limiter.consume({})).toMatchObject({ allowed: false, reason: 'never', source: 'memory' });
  });

  it.each<[string, Partial<Tier<unknown>>]>([
    ['key', { key: async () => 'ada' }],
    ['limit', { limit: async () => 10 }],
    ['cost', { cost: async () => 1 }],
    ['record', { record: async () => 'text' }],
  ])('decides by promise where the function %s is async', async (_name, change) => {
    const limiter = createLimiter({ tiers: [{ ...hour, ...change } as Tier<unknown>] });

    const decision = limiter.consume({});

    expect(decision).toBeInstanceOf(Promise);
    await expect(decision).resolves.toMatchObject({ allowed: true, outcomes: [{ remaining: 9 }] });
  });

  it('charges in the order of the calls, without waiting between them', () => {
    const limiter = createLimiter({ tiers: [{ ...hour, limit: 2 }] });

    const decisions = [1, 2, 3].map(() => limiter.consume({}));

    expect(decisions).toMatchObject([{ allowed: true }, { allowed: true }, { allowed: false }]);
  });

  it.each<[unknown]>([[-1], [1.5], [NaN], [Infinity], ['5'], [null], [2 ** 53], [5n]])(
    'rejects the cost %p, and never throws it',
    async (cost) => {
      const limiter = createLimiter({ tiers: [hour] });

      const calls = [limiter.consume({}, { cost } as CostOptions), limiter.peek({}, { cost } as CostOptions)];

      for (const call of calls) {
        const usage = { name: 'UsageError', code: 'COST_INVALID' };
        await expect(call).rejects.toMatchObject(usage);
        await expect(call).rejects.toThrow('cost must be an integer of at least 0, got');
      }
      expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 10 }] });
    },
  );

  it('takes options that are undefined or null for none', () => {
    const limiter = createLimiter({ tiers: [hour] });

    const decisions = [undefined, null, {}].map((options) => limiter.consume({}, options as CostOptions));

    expect(decisions).toMatchObject([9, 8, 7].map((remaining) => ({ outcomes: [{ remaining }] })));
  });

  it('rejects when its store is closed, and never throws', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [hour] });
    store.close();

    const calls = [limiter.consume({}), limiter.peek({}), limiter.reset({}), limiter.inspect({})];

    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_CLOSED' });
  });
});

describe('a decision', () => {
  it('shows nothing of what it can give back', () => {
    const decision = createLimiter({ tiers: [hour] }).consume({});

    const names = ['allowed', 'reason', 'binding', 'deniedBy', 'outcomes', 'retryAfter', 'delay', 'source', 'degraded'];
    expect(Object.keys(decision).toSorted()).toEqual(names.toSorted());
    expect(JSON.stringify(decision)).not.toContain('rl:{');
  });

  it.each<[unknown, string]>([
    [3, 'options must be { cost }, got 3'],
    [{ costs: 3 }, 'options must be { cost }, got the option "costs"'],
  ])('is refused to a call with the options %j, which would be overlooked', async (options, message) => {
    const limiter = createLimiter({ tiers: [hour] });

    await expect(limiter.consume({}, options as CostOptions)).rejects.toThrow(new UsageError('USAGE_INVALID', message));
  });

  it('is settled where it was counted, also when there was no room for its key', async () => {
    const store = memoryStore({ maxKeys: 16 });
    const tier: Tier<string> = { name: 'hour', key: (subject) => subject, limit: 10, window: '1h' };
    const limiter = createLimiter({ store, tiers: [tier] });
    for (let number = 0; number < 16; number += 1) await limiter.consume(`full ${number}`, { cost: 10 });
    const decision = await limiter.consume('late', { cost: 5 });

    const settled = await limiter.settle(decision, 2);

    expect(settled).toBe(-3);
    expect(limiter.peek('later')).toMatchObject({ outcomes: [{ remaining: 8 }] });
  });

  it('can be given back when it was frozen', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = Object.freeze(await limiter.consume({}));

    expect(await limiter.refund(decision)).toBe(1);
    expect(await limiter.refund(decision)).toBe(0);
  });

  it('can be given back to the limiter that made it only as itself', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = await limiter.consume({});
    const stranger = await createLimiter({ tiers: [hour] }).consume({});

    for (const other of [{ ...decision }, stranger, await limiter.peek({}), {}, 'decision', undefined, null]) {
      const usage = 'refund and settle take a decision that consume of this limiter has returned';
      await expect(limiter.refund(other as typeof decision)).rejects.toThrow(new UsageError('USAGE_INVALID', usage));
      await expect(limiter.settle(other as typeof decision, 5)).rejects.toThrow(usage);
    }
    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 9 }] });
  });

  it.each<[unknown]>([[-1], [1.5], [NaN], ['1'], [null]])('is not spent by refund and settle of %p', async (units) => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = await limiter.consume({});

    await expect(limiter.refund(decision, units as number)).rejects.toMatchObject({ code: 'COST_INVALID' });
    await expect(limiter.settle(decision, units as number)).rejects.toMatchObject({ code: 'COST_INVALID' });
    await expect(limiter.settle(decision, { hour: units as number })).rejects.toMatchObject({ code: 'COST_INVALID' });
    expect(await limiter.refund(decision)).toBe(1);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'settles a tier by the name %s only where it is given',
    async (name) => {
      const limiter = createLimiter({ tiers: [{ ...hour, name }] });
      const [one, other] = [await limiter.consume({}), await limiter.consume({})];

      await limiter.settle(one, {});
      await limiter.settle(other, JSON.parse(`{ "${name}": 4 }`) as Record<string, number>);

      expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 5 }] });
    },
  );

  it('is not spent by settling without a cost', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = await limiter.consume({});

    const settled = limiter.settle(decision, undefined as unknown as number);

    await expect(settled).rejects.toThrow('settle: cost must be an integer of at least 0, got undefined');
    expect(await limiter.refund(decision)).toBe(1);
  });
});

describe('plans', () => {
  const free: Tier<object>[] = [{ ...hour, name: 'free' }];
  const paid: Tier<object>[] = [{ ...hour, name: 'paid' }];

  it('let a decision be settled by the tiers of all of them, and refuse names that only look like one', async () => {
    const limiter = createLimiter<object>({ tiers: (subject) => ('paid' in subject ? paid : free) });
    await limiter.consume({ paid: true });
    const decision = await limiter.consume({}, { cost: 5 });

    await expect(limiter.settle(decision, { fre: 1 })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    await expect(limiter.refund(decision, { fre: 1 })).rejects.toThrow('tiers must name tiers of this limiter (free)');
    await expect(limiter.settle(decision, { free: 1, paid: 1 })).resolves.toBe(-4);
  });
});

describe('the policies of a decision', () => {
  it('are those that its outcomes speak of, in their order, also of tiers that only watch', async () => {
    const limiter = createLimiter({
      tiers: [{ ...hour, name: 'minute', window: '1m', mode: 'shadow' }, hour, { ...hour, name: 'day', window: '1d' }],
    });
    const decision = await limiter.consume({});

    const policies = limiter.policies(decision);

    expect(decision.outcomes.map(({ tier }) => tier)).toEqual(['day', 'hour', 'minute']);
    expect(policies.map(({ window }) => window)).toEqual([8.64e10, 3.6e9, 6e7]);
  });

  it('have the limits that the request was decided by', async () => {
    let limit: number | null = 5;
    const limiter = createLimiter({ tiers: [{ ...hour, limit: () => limit }] });
    const decision = await limiter.consume({});

    limit = 7;

    expect(limiter.policies(decision)).toMatchObject([{ limit: 5 }]);
    expect(limiter.policies(await limiter.consume({}))).toMatchObject([{ limit: 7 }]);
  });

  it('are there for a limit of 0, and not for a tier that does not apply', async () => {
    const limiter = createLimiter({
      tiers: [
        { ...hour, name: 'none', limit: () => 0 },
        { ...hour, name: 'apart', limit: () => null },
      ],
    });
    const decision = await limiter.consume({});

    expect(decision.outcomes).toMatchObject([{ tier: 'none', limit: 0 }]);
    expect(limiter.policies(decision)).toMatchObject([{ algorithm: 'fixed-window', window: 3.6e9 }]);
  });

  it('are still there when the decision was given back', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = await limiter.consume({});
    await limiter.refund(decision);

    expect(limiter.policies(decision)).toMatchObject([{ limit: 10 }]);
  });

  it('are none for what consume of this limiter has not returned', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = await limiter.consume({});
    const stranger = await createLimiter({ tiers: [hour] }).consume({});

    for (const other of [{ ...decision }, stranger, await limiter.peek({}), {}, undefined]) {
      expect(limiter.policies(other as typeof decision)).toEqual([]);
    }
  });
});

describe('time', () => {
  it('lets a denied request pass when retryAfter has passed, and not before', async () => {
    const { limiter, clock } = limiterOf({ limit: 1, window: '1m' });
    await limiter.consume({});
    clock.advance(10_000);

    const { retryAfter } = await limiter.consume({});

    clock.advance(retryAfter - 1);
    expect(limiter.peek({})).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1);
    expect(limiter.consume({})).toMatchObject({ allowed: true });
  });

  it.each(Object.entries(SAMPLES))(
    'brings back at most what is held: refund after a window (%s)',
    async (_name, options) => {
      const { limiter, clock } = limiterOf(options);
      const decision = await limiter.consume({}, { cost: 2 });
      clock.advance('15d');
      await limiter.consume({}, { cost: 3 });

      expect(await limiter.refund(decision)).toBe(0);
      expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 2 }] });
    },
  );

  it('does not give back twice what time has given back', async () => {
    const { limiter, clock } = limiterOf({ algorithm: 'token-bucket', limit: 1, window: '1m', burst: 5 });
    const decision = await limiter.consume({}, { cost: 4 });
    clock.advance('3m');

    expect(await limiter.refund(decision)).toBe(1);
    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 5, resetAfter: 0 }] });
  });

  it('does not give back a place in a queue that somebody stands behind', async () => {
    const { limiter } = limiterOf({ algorithm: 'leaky-bucket', limit: 1, window: '1m', queue: 4 });
    const [first, second] = [await limiter.consume({}), await limiter.consume({})];

    expect([first.delay, second.delay]).toEqual([0, 60_000]);
    expect(await limiter.refund(first)).toBe(0);
    expect(await limiter.refund(second)).toBe(1);
  });

  it.each(Object.entries(SAMPLES))('charges nothing for a denial, however often (%s)', async (_name, options) => {
    const { limiter, clock } = limiterOf(options);
    await limiter.consume({}, { cost: 5 });
    const first = await limiter.consume({});

    for (let count = 0; count < 10; count += 1) await limiter.consume({});
    clock.advance(first.retryAfter);

    expect(limiter.consume({})).toMatchObject({ allowed: true });
  });

  it.each(Object.entries(SAMPLES))(
    'waits at most one refill after the clock was set back (%s)',
    async (_name, options) => {
      const { limiter, clock } = limiterOf(options);
      const { outcomes } = await limiter.consume({}, { cost: 5 });
      const refill = outcomes[0]!.resetAfter;
      clock.step(-86_400_000);

      const { retryAfter } = await limiter.consume({});

      // A window that the clock was set back in begins anew, and what was in it has it all to pass.
      expect(retryAfter).toBeLessThanOrEqual(2 * refill);
      clock.advance(retryAfter);
      expect(limiter.consume({})).toMatchObject({ allowed: true });
    },
  );

  it('keeps what it has re-dated on a denial', async () => {
    const { limiter, clock } = limiterOf({ algorithm: 'token-bucket', limit: 1, window: '1h', burst: 2 });
    await limiter.consume({}, { cost: 2 });
    clock.step(-86_400_000);

    const denied = await limiter.consume({});
    clock.advance(denied.retryAfter);

    expect(denied.retryAfter).toBe(3_600_000);
    expect(limiter.peek({})).toMatchObject({ allowed: true, outcomes: [{ remaining: 1 }] });
  });
});

function limiterOf(options: object) {
  const clock = fakeClock();
  const tier = { name: 'tier', key: () => 'ada', ...options } as unknown as Tier<unknown>;
  return { clock, limiter: createLimiter({ store: memoryStore({ clock }), tiers: [tier] }) };
}
