import { closedPort } from '../testing/internal/listener.js';
import { FailingStore, rejects, unavailable } from '../testing/internal/failing-store.js';
import type { Decision } from '../model/decision.js';
import { StoreError, UsageError } from '../model/errors.js';
import { redisStore } from '../stores/redis/redis-store.js';
import { createLimiter } from './limiter.js';
import type { LimiterOptions } from './limiter-options.js';
import type { Tier } from './tiers/tier.js';

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 10, window: '1h' };
const day: Tier<unknown> = { ...hour, name: 'day', limit: 20, window: '1d' };

let emitWarning: jest.SpyInstance;

beforeEach(() => {
  emitWarning = jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  emitWarning.mockRestore();
});

function limited(options: Partial<LimiterOptions<unknown>> = {}) {
  const store = new FailingStore();
  const limiter = createLimiter<unknown>({ store, tiers: [hour], ...options } as LimiterOptions<unknown>);
  const down = () => {
    store.failure = rejects(unavailable);
  };
  const up = () => {
    store.failure = undefined;
  };
  return { store, limiter, down, up };
}

const remaining = ({ outcomes }: Decision) => outcomes.map((outcome) => [outcome.tier, outcome.remaining]);

describe('a limiter whose store cannot answer', () => {
  it('limits in this process unless it is told otherwise, and says so', async () => {
    const { limiter, down } = limited();
    down();

    const decisions = [];
    for (let request = 0; request < 11; request += 1) decisions.push(await limiter.consume({}));

    expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false]);
    expect(decisions[0]).toMatchObject({ reason: 'ok', source: 'local', degraded: true, delay: 0 });
    expect(decisions[10]).toMatchObject({ reason: 'denied', source: 'local', degraded: true, deniedBy: ['hour'] });
    expect(decisions[10]!.retryAfter).toBeGreaterThan(0);
  });

  it('never rejects and never hangs, on a Redis that nobody listens at', async () => {
    const store = redisStore({ url: `redis://127.0.0.1:${await closedPort()}` });
    for (const onStoreFailure of ['local', 'allow', 'deny'] as const) {
      const limiter = createLimiter({ ...hour, store, onStoreFailure });

      const decisions = await Promise.all(Array.from({ length: 12 }, () => limiter.consume({})));

      expect(decisions.every(({ degraded }) => degraded)).toBe(true);
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(
        { local: 10, allow: 12, deny: 0 }[onStoreFailure],
      );
    }
    await store.close();
  });

  it('allows without outcomes where it is to allow', async () => {
    const { limiter, down } = limited({ onStoreFailure: 'allow' });
    down();

    const decision = await limiter.consume({}, { cost: 100 });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none', degraded: true });
    expect(decision).not.toHaveProperty('binding');
  });

  it('is unavailable where it is to deny, which is no denial', async () => {
    const { limiter, down } = limited({ onStoreFailure: 'deny' });
    down();

    const decision = await limiter.consume({});

    expect(decision).toMatchObject({
      allowed: false,
      reason: 'unavailable',
      deniedBy: [],
      outcomes: [],
      source: 'none',
      degraded: true,
    });
    expect(decision.retryAfter).toBeGreaterThanOrEqual(1_000);
    expect(decision.retryAfter).toBeLessThanOrEqual(5_000);
  });

  it('does what each tier says, before what it says itself', async () => {
    const decide = async (...modes: (Tier<unknown>['onStoreFailure'] | undefined)[]) => {
      const tiers = modes.map((mode, index) => ({
        ...hour,
        name: `tier-${index}`,
        ...(mode && { onStoreFailure: mode }),
      }));
      const { limiter, down } = limited({ onStoreFailure: 'allow', tiers: tiers as Tier<unknown>[] });
      down();
      const { reason, outcomes, source } = await limiter.consume({});
      return [reason, outcomes.map((outcome) => outcome.tier), source];
    };

    expect(await decide(undefined, 'local')).toEqual(['ok', ['tier-1'], 'local']);
    expect(await decide(undefined, 'allow')).toEqual(['ok', [], 'none']);
    expect(await decide('local', 'deny', undefined)).toEqual(['unavailable', [], 'none']);
  });

  it('leaves out tiers that only watch', async () => {
    const { limiter, down } = limited({ tiers: [hour, { ...day, mode: 'shadow', onStoreFailure: 'deny' }] });
    down();

    expect(remaining(await limiter.consume({}))).toEqual([['hour', 9]]);
  });

  it('is never for a limit of 0, whatever is to be done: no store is needed to say so', async () => {
    for (const onStoreFailure of ['local', 'allow', 'deny'] as const) {
      const none: Tier<unknown> = { ...day, name: 'none', limit: () => 0 };
      const { limiter, down } = limited({ tiers: [hour, none], onStoreFailure });
      down();

      const decision = await limiter.consume({});

      expect(decision).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['none'], degraded: true });
      // And nothing was charged for it.
      expect(remaining(await limiter.peek({}))).toEqual(
        onStoreFailure === 'local'
          ? [
              ['hour', 10],
              ['none', 0],
            ].toSorted((one, other) => order(decision, one[0] as string) - order(decision, other[0] as string))
          : [['none', 0]],
      );
    }
  });

  const order = ({ outcomes }: Decision, name: string) => outcomes.findIndex((outcome) => outcome.tier === name);

  it('is unavailable, and not never, for a cost that fits the limit and not the share of it', async () => {
    const { limiter, down } = limited({ share: 1 / 3 });
    down();

    expect(await limiter.consume({}, { cost: 5 })).toMatchObject({ allowed: false, reason: 'unavailable' });
    expect(await limiter.consume({}, { cost: 11 })).toMatchObject({ allowed: false, reason: 'never' });
    expect(await limiter.consume({}, { cost: 4 })).toMatchObject({ allowed: true, outcomes: [{ remaining: 0 }] });
  });

  it('still rejects what makes no sense, before anybody is asked', async () => {
    const { limiter, store, down } = limited({
      tiers: [
        {
          ...hour,
          key: () => {
            throw new Error('no user');
          },
        },
      ],
    });
    down();

    await expect(limiter.consume({})).rejects.toBeInstanceOf(UsageError);
    await expect(limiter.consume({}, { cost: -1 })).rejects.toBeInstanceOf(UsageError);
    expect(store.asked).toBe(0);
  });

  it('rejects where its store was closed', async () => {
    const { limiter, store } = limited({ onStoreFailure: 'allow' });
    await store.close();

    await expect(limiter.consume({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(limiter.peek({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('has its local counters in common with all limiters of its store, as it has the others', async () => {
    const { limiter, store, down } = limited();
    const other = createLimiter({ store, tiers: [hour] });
    down();

    await limiter.consume({}, { cost: 4 });

    expect(remaining(await other.peek({}))).toEqual([['hour', 6]]);
  });
});

describe('a share', () => {
  it('is what this process allows while it is alone, and nothing else', async () => {
    const { limiter, down, up } = limited({ share: 1 / 3 });

    const before = await limiter.consume({});
    down();
    const alone = await limiter.consume({});
    up();
    const after = await limiter.consume({});

    expect([before, alone, after].map(({ outcomes: [outcome] }) => [outcome!.limit, outcome!.remaining])).toEqual([
      [10, 9],
      [4, 3],
      [10, 8],
    ]);
  });

  it('of three processes is at most the limit and two more', async () => {
    const fleet = Array.from({ length: 3 }, () => limited({ share: 1 / 3 }));
    let admitted = 0;

    for (const { limiter, down } of fleet) {
      down();
      const decisions = await Promise.all(Array.from({ length: 20 }, () => limiter.consume({})));
      admitted += decisions.filter(({ allowed }) => allowed).length;
    }

    expect(admitted).toBe(12);
  });

  it('is taken of what a limit function returns, and of every plan', async () => {
    const plans = { free: [hour], paid: [{ ...hour, limit: ({ limit }: { limit: number }) => limit }] };
    const { limiter, down } = limited({
      share: 1 / 4,
      tiers: (({ plan }: { plan: 'free' | 'paid' }) => plans[plan]) as never,
    });
    down();

    const limits = [];
    for (const subject of [{ plan: 'free' }, { plan: 'paid', limit: 100 }, { plan: 'paid', limit: 6 }]) {
      limits.push((await limiter.consume(subject)).outcomes[0]!.limit);
    }

    expect(limits).toEqual([3, 25, 2]);
  });

  it('is named by the policies of a decision, for headers that speak of this process', async () => {
    const { limiter, down } = limited({ share: 1 / 2, tiers: [hour, { ...day, onStoreFailure: 'allow' }] });
    const names = (decision: Decision) =>
      limiter.policies(decision).map(({ limit, window }) => [limit, window / 3.6e9]);

    const before = await limiter.consume({});
    down();
    const alone = await limiter.consume({});

    expect(names(before)).toEqual([
      [20, 24],
      [10, 1],
    ]);
    expect(names(alone)).toEqual([[5, 1]]);
    expect(alone.outcomes.map((outcome) => outcome.tier)).toEqual(['hour']);
  });

  it('names no policies of a decision that was allowed or is unavailable', async () => {
    for (const onStoreFailure of ['allow', 'deny'] as const) {
      const { limiter, down } = limited({ onStoreFailure });
      down();

      expect(limiter.policies(await limiter.consume({}))).toEqual([]);
    }
  });

  it('names the policy of a limit of 0, which is there whatever the store says', async () => {
    const { limiter, down } = limited({
      share: 1 / 2,
      tiers: [hour, { ...day, name: 'none', limit: () => 0 }],
    });
    down();

    const decision = await limiter.consume({});

    expect(limiter.policies(decision)).toHaveLength(decision.outcomes.length);
  });
});

describe('a refund', () => {
  it('in an outage gives nothing of what the store has counted, and is spent', async () => {
    const { limiter, down, up } = limited();
    const decision = await limiter.consume({}, { cost: 3 });
    down();

    const given = await limiter.refund(decision);
    up();

    expect([given, await limiter.refund(decision)]).toEqual([0, 0]);
    expect(remaining(await limiter.peek({}))).toEqual([['hour', 7]]);
  });

  it('after an outage goes back to this process, and nothing to the store', async () => {
    const { limiter, down, up } = limited();
    await limiter.consume({});
    down();
    const decision = await limiter.consume({}, { cost: 4 });
    up();

    const given = await limiter.refund(decision, 3);
    const there = remaining(await limiter.peek({}));
    down();
    const here = remaining(await limiter.peek({}));

    expect([given, there, here]).toEqual([3, [['hour', 9]], [['hour', 9]]]);
  });

  it('of what was allowed or unavailable gives nothing', async () => {
    for (const onStoreFailure of ['allow', 'deny'] as const) {
      const { limiter, down } = limited({ onStoreFailure });
      down();

      expect(await limiter.refund(await limiter.consume({}))).toBe(0);
    }
  });
});

describe('a settlement', () => {
  it('in an outage tells what it did, which is nothing where the store would have to', async () => {
    for (const onStoreFailure of ['allow', 'deny'] as const) {
      const { limiter, down, up } = limited({ onStoreFailure });
      const [less, more] = [await limiter.consume({}, { cost: 3 }), await limiter.consume({}, { cost: 3 })];
      down();

      const settled = [await limiter.settle(less, 1), await limiter.settle(more, 4)];
      up();

      expect(settled).toEqual([0, 0]);
      expect(remaining(await limiter.peek({}))).toEqual([['hour', 4]]);
    }
  });

  it('of a decision that was made here gives back here', async () => {
    const { limiter, down, up } = limited();
    down();
    const decision = await limiter.consume({}, { cost: 5 });
    up();

    const settled = await limiter.settle(decision, 2);
    down();

    expect(settled).toBe(-3);
    expect(remaining(await limiter.peek({}))).toEqual([['hour', 8]]);
  });

  it('of what was allowed has nothing to put right', async () => {
    const { limiter, down } = limited({ onStoreFailure: 'allow' });
    down();
    const decision = await limiter.consume({});

    expect(await limiter.settle(decision, 5)).toBe(0);
  });
});

describe('an operator', () => {
  it('is told that a subject cannot be looked at, rather than what is thought in the meantime', async () => {
    const { limiter, down } = limited();
    down();
    await limiter.consume({});

    await expect(limiter.inspect({})).rejects.toBe(unavailable);
  });

  it('is told so also where the store can still tell the texts', async () => {
    const { limiter, store } = limited();
    store.peek = async () => {
      throw unavailable;
    };

    await expect(limiter.inspect({})).rejects.toBe(unavailable);
  });

  it('is told that a subject cannot be reset, and what was counted here is forgotten all the same', async () => {
    const { limiter, down } = limited();
    down();
    await limiter.consume({}, { cost: 10 });

    await expect(limiter.reset({})).rejects.toBeInstanceOf(StoreError);
    expect(await limiter.consume({})).toMatchObject({ allowed: true, source: 'local' });
  });

  it('resets both at once when the store is there', async () => {
    const { limiter, down, up } = limited();
    await limiter.consume({}, { cost: 10 });
    down();
    await limiter.consume({}, { cost: 10 });
    up();

    await limiter.reset({});
    const there = await limiter.consume({});
    down();
    const here = await limiter.consume({});

    expect([there, here]).toMatchObject([
      { allowed: true, source: 'memory' },
      { allowed: true, source: 'local' },
    ]);
  });
});

describe('a claim of a limiter', () => {
  it('says what becomes of it without a store, and by which policy', async () => {
    const asked: unknown[] = [];
    const store = new FailingStore();
    const consume = store.consume.bind(store);
    store.consume = (group) => {
      asked.push(...group);
      return consume(group);
    };
    const limiter = createLimiter({ store, share: 1 / 2, onStoreFailure: 'deny', tiers: [hour] });

    await limiter.consume({});

    expect(asked).toMatchObject([
      { tier: 'hour', policy: { limit: 10 }, onStoreFailure: 'deny', localPolicy: { limit: 5 } },
    ]);
  });
});
