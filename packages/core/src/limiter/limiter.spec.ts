import { UsageError } from '../model/errors.js';
import { memoryStore } from '../stores/memory/memory-store.js';
import { sharedLayers } from '../stores/between-processes/shared-layers.js';
import type { AbleStore } from '../stores/store.js';
import type { CostOptions } from './tiers/arguments.js';
import { createLimiter } from './limiter.js';
import type { Tier } from './tiers/tier.js';

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 10, window: '1h' };

/** Arguments that look like a decision of a limiter. */
async function strangers(limiter: ReturnType<typeof createLimiter>) {
  const decision = await limiter.consume({});
  const stranger = await createLimiter({ tiers: [hour] }).consume({});
  return [{ ...decision }, stranger, await limiter.peek({}), {}, undefined, null, 'decision'] as (typeof decision)[];
}

describe('Limiter', () => {
  it('admits the limit in each calendar week with a window of 8 days and a key that has the week', async () => {
    const DAY = 86_400_000;
    const monday = Date.UTC(2026, 10, 2);
    let now = monday;
    const limiter = createLimiter<object>({
      store: memoryStore({ clock: () => now }),
      name: 'week',
      key: () => String(Math.floor((now - monday) / (7 * DAY))),
      algorithm: 'fixed-window',
      limit: 5,
      window: '8d',
      anchor: 'first',
    });

    const admitted = Array.from({ length: 8 }, () => 0);
    for (; now < monday + 56 * DAY; now += 6 * 3_600_000) {
      if ((await limiter.consume({})).allowed) admitted[Math.floor((now - monday) / (7 * DAY))]! += 1;
    }

    expect(admitted).toEqual(admitted.map(() => 5));
  });

  it('returns a decision without a promise if no function is async', () => {
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

  it('returns a decision without a promise for a plan with a limit of 0', () => {
    const plan = [
      { ...hour, name: 'denying', limit: () => 0 },
      { ...hour, charge: 'all' },
    ] as const;

    const decision = createLimiter({ tiers: () => plan }).consume({});

    expect(decision).toMatchObject({ allowed: false, reason: 'never', source: 'memory' });
  });

  it.each<[string, Partial<Tier<unknown>>]>([
    ['key', { key: async () => 'ada' }],
    ['limit', { limit: async () => 10 }],
    ['cost', { cost: async () => 1 }],
    ['record', { record: async () => 'text' }],
    ['label', { label: async () => 'text' }],
  ])('returns a promise if the function %s is async', async (_name, change) => {
    const limiter = createLimiter({ tiers: [{ ...hour, ...change } as Tier<unknown>] });

    const decision = limiter.consume({});

    expect(decision).toBeInstanceOf(Promise);
    await expect(decision).resolves.toMatchObject({ allowed: true, outcomes: [{ remaining: 9 }] });
  });

  it.each<[unknown]>([[-1], [1.5], [NaN], [Infinity], ['5'], [null], [2 ** 53], [5n]])(
    'rejects the cost %p, and never throws it',
    async (cost) => {
      const limiter = createLimiter({ tiers: [hour] });

      for (const call of [limiter.consume({}, { cost } as CostOptions), limiter.peek({}, { cost } as CostOptions)]) {
        await expect(call).rejects.toMatchObject({ name: 'UsageError', code: 'COST_INVALID' });
        await expect(call).rejects.toThrow('cost must be an integer of at least 0, got');
      }
      expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 10 }] });
    },
  );

  it.each<[unknown, string]>([
    [3, 'options must be { cost, signal, place }: write { cost: 3 }, got 3'],
    [{ costs: 3 }, 'options must be { cost, signal, place }, got the option "costs"'],
  ])('rejects the options %j, which would have no effect', async (options, message) => {
    const limiter = createLimiter({ tiers: [hour] });

    await expect(limiter.consume({}, options as CostOptions)).rejects.toThrow(new UsageError('USAGE_INVALID', message));
  });

  it('takes undefined, null and {} as options', () => {
    const limiter = createLimiter({ tiers: [hour] });

    const decisions = [undefined, null, {}].map((options) => limiter.consume({}, options as CostOptions));

    expect(decisions).toMatchObject([9, 8, 7].map((remaining) => ({ outcomes: [{ remaining }] })));
  });

  it('rejects all calls once its store is closed, and never throws', async () => {
    const store = memoryStore();
    const limiter = createLimiter({ store, tiers: [hour] });
    store.close();

    for (const call of [limiter.consume({}), limiter.peek({}), limiter.reset({}), limiter.inspect({})]) {
      await expect(call).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_CLOSED' });
    }
  });
});

describe('Limiter.close', () => {
  it('denies the requests that wait in a store of its own, and gives them no permit that ends', async () => {
    const limiter = createLimiter({ key: () => 'all', algorithm: 'concurrency', limit: 1, wait: '10s' });
    await limiter.consume({});
    const waiting = [1, 2].map(async () => limiter.consume({}));

    await limiter.close();

    expect(await Promise.all(waiting)).toMatchObject([{ allowed: false }, { allowed: false }]);
    await expect(limiter.consume({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });
});

describe('Limiter.refund and Limiter.settle', () => {
  it('hide the receipts of a decision', () => {
    const decision = createLimiter({ tiers: [hour] }).consume({});

    const names = ['allowed', 'reason', 'binding', 'deniedBy', 'outcomes', 'retryAfter', 'delay', 'source', 'degraded'];
    expect(Object.keys(decision).toSorted()).toEqual(names.toSorted());
    expect(JSON.stringify(decision)).not.toContain('rl:{');
  });

  it('settle a request without recording its text again', async () => {
    const limiter = createLimiter({ ...hour, limit: 10, record: () => 'text' });
    const decision = await limiter.consume({});

    await limiter.settle(decision, 3);

    expect(await limiter.inspect({})).toMatchObject([{ outcome: { remaining: 7 }, recorded: ['text'] }]);
  });

  it('settle a decision of the overflow state of a full memory store', async () => {
    const store = memoryStore({ maxKeys: 16 });
    const limiter = createLimiter({ store, tiers: [{ ...hour, key: (subject) => subject as string }] });
    for (let number = 0; number < 16; number += 1) await limiter.consume(`full ${number}`, { cost: 10 });
    const decision = await limiter.consume('late', { cost: 5 });

    expect(await limiter.settle(decision, 2)).toBe(-3);
    expect(limiter.peek('later')).toMatchObject({ outcomes: [{ remaining: 8 }] });
  });

  it('refund a frozen decision, once', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const decision = Object.freeze(await limiter.consume({}));

    expect([await limiter.refund(decision), await limiter.refund(decision)]).toEqual([1, 0]);
  });

  it('reject everything but a decision of consume of the same limiter', async () => {
    const limiter = createLimiter({ tiers: [hour] });
    const usage = 'refund, settle and extend take a decision that consume of this limiter has returned';

    for (const each of await strangers(limiter)) {
      await expect(limiter.refund(each)).rejects.toThrow(new UsageError('USAGE_INVALID', usage));
      await expect(limiter.settle(each, 5)).rejects.toThrow(usage);
    }
    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 9 }] });
  });

  it.each<[unknown]>([[-1], [1.5], [NaN], ['1'], [null], [undefined]])(
    'reject %p units, and leave the decision unspent',
    async (units) => {
      const limiter = createLimiter({ tiers: [hour] });
      const decision = await limiter.consume({});

      const calls = [limiter.settle(decision, units as number), limiter.settle(decision, { hour: units as number })];
      if (units !== undefined) calls.push(limiter.refund(decision, units as number));
      for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'COST_INVALID' });
      expect(await limiter.refund(decision)).toBe(1);
    },
  );

  it.each(['constructor', '__proto__', 'toString'])('settle the tier %s only if it is named', async (name) => {
    const limiter = createLimiter({ tiers: [{ ...hour, name }] });
    const [one, other] = [await limiter.consume({}), await limiter.consume({})];

    await limiter.settle(one, {});
    await limiter.settle(other, JSON.parse(`{ "${name}": 4 }`) as Record<string, number>);

    expect(limiter.peek({})).toMatchObject({ outcomes: [{ remaining: 5 }] });
  });

  it('take names of tiers of all plans beside one of this decision, and reject misspelt names', async () => {
    const free: Tier<object>[] = [{ ...hour, name: 'free' }];
    const paid: Tier<object>[] = [{ ...hour, name: 'paid' }];
    const limiter = createLimiter<object>({ tiers: (subject) => ('paid' in subject ? paid : free) });
    const decision = await limiter.consume({}, { cost: 5 });

    await expect(limiter.settle(decision, { fre: 1 })).rejects.toMatchObject({ code: 'USAGE_INVALID' });
    await expect(limiter.refund(decision, { fre: 1 })).rejects.toThrow('tiers must name tiers of this limiter (free)');
    await expect(limiter.settle(decision, { free: 1, paid: 1 })).resolves.toBe(-4);
  });

  it('take names of tiers of a plan whose outcomes a decision lacks', async () => {
    const none: Tier<object> = { ...hour, name: 'none', limit: () => null };
    const plan: Tier<object>[] = [{ ...hour, limit: 1 }, { ...hour, name: 'requests' }, none];
    const target = memoryStore();
    // A store that is not in memory has a deny cache.
    const store: AbleStore = {
      layers: sharedLayers,
      consume: async (group) => ({ ...(await target.consume(group)), sentAt: performance.now() }),
      peek: (group) => target.peek(group),
      refund: (receipts) => target.refund(receipts),
      reset: (keys) => target.reset(keys),
      recorded: (key) => target.recorded(key),
      close: () => target.close(),
    };
    const limiter = createLimiter<object>({ store, tiers: () => plan });
    await limiter.consume({});
    await limiter.consume({});

    const denied = await limiter.consume({});

    expect(denied).toMatchObject({ source: 'deny-cache', outcomes: [{ tier: 'hour' }] });
    await expect(limiter.settle(denied, { requests: 0 })).resolves.toBe(0);
    await expect(limiter.refund(denied, { none: 1 })).resolves.toBe(0);
  });
});

describe('Limiter.policies', () => {
  it('returns the policies of all outcomes in their order, also of shadow tiers and after a refund', async () => {
    const limiter = createLimiter({
      tiers: [{ ...hour, name: 'minute', window: '1m', mode: 'shadow' }, hour, { ...hour, name: 'day', window: '1d' }],
    });
    const decision = await limiter.consume({});
    await limiter.refund(decision);

    expect(decision.outcomes.map(({ tier }) => tier)).toEqual(['day', 'hour', 'minute']);
    expect(limiter.policies(decision).map(({ window }) => window)).toEqual([8.64e10, 3.6e9, 6e7]);
  });

  it('returns the limit that the request was decided by', async () => {
    let limit = 5;
    const limiter = createLimiter({ tiers: [{ ...hour, limit: () => limit }] });
    const decision = await limiter.consume({});
    limit = 7;

    expect(limiter.policies(decision)).toMatchObject([{ limit: 5 }]);
    expect(limiter.policies(await limiter.consume({}))).toMatchObject([{ limit: 7 }]);
  });

  it('returns a policy for a limit of 0, and none for a tier that does not apply', async () => {
    const zero = { ...hour, name: 'zero', limit: () => 0 };
    const limiter = createLimiter({ tiers: [zero, { ...hour, name: 'apart', limit: () => null }] });
    const decision = await limiter.consume({});

    expect(decision.outcomes).toMatchObject([{ tier: 'zero', limit: 0 }]);
    expect(limiter.policies(decision)).toMatchObject([{ algorithm: { name: 'fixed-window' }, window: 3.6e9 }]);
  });

  it('is empty for values that are no decision of consume of the same limiter', async () => {
    const limiter = createLimiter({ tiers: [hour] });

    for (const each of await strangers(limiter)) expect(limiter.policies(each)).toEqual([]);
  });
});

describe('consume of a limiter whose tiers have no functions but their keys', () => {
  it('charges the cost of a tier instead of the cost of the request', async () => {
    const limiter = createLimiter<string>({
      tiers: [
        { name: 'own', key: (subject) => subject, limit: 10, window: '1h', cost: 3 },
        { name: 'request', key: (subject) => subject, limit: 10, window: '1m' },
      ],
    });

    const { outcomes } = await limiter.consume('ada', { cost: 2 });

    expect(outcomes.map(({ tier, remaining }) => [tier, remaining])).toEqual([
      ['own', 7],
      ['request', 8],
    ]);
  });
});
