import { FailingStore, rejects, unavailable } from '../../../../test/support/failing-store.js';
import type { Decision } from '../model/decision.js';
import { StoreError, UsageError } from '../model/errors.js';
import type { LimiterOptions } from './limiter-options.js';
import { CoolDown } from './cool-down.js';
import { createLimiter } from './limiter.js';
import type { Tier } from './tiers/tier.js';
import { run } from './run.js';

const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 10, window: '1h' };
const day: Tier<unknown> = { ...hour, name: 'day', limit: 20, window: '1d' };
const MODES = ['local', 'allow', 'deny'] as const;

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
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

describe('Limiter.consume without its store', () => {
  it('limits in this process by default, and says so', async () => {
    const { limiter, down } = limited();
    down();

    const decisions = [];
    for (let request = 0; request < 11; request += 1) decisions.push(await limiter.consume({}));

    expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false]);
    expect(decisions[0]).toMatchObject({ reason: 'ok', source: 'local', degraded: true, delay: 0 });
    expect(decisions[10]).toMatchObject({ reason: 'denied', source: 'local', degraded: true, deniedBy: ['hour'] });
    expect(decisions[10]!.retryAfter).toBeGreaterThan(0);
  });

  it.each<[modes: unknown[], reason: string, tiers: string[], source: string]>([
    [[undefined, 'local'], 'ok', ['tier-1'], 'local'],
    [[undefined, 'allow'], 'ok', [], 'none'],
    [['local', 'deny', undefined], 'unavailable', [], 'none'],
  ])('prefers onStoreFailure of the tiers to that of the limiter: %j', async (modes, ...expected) => {
    const tiers = modes.map((mode, index) => ({
      ...hour,
      name: `tier-${index}`,
      ...(mode ? { onStoreFailure: mode } : {}),
    }));
    const { limiter, down } = limited({ onStoreFailure: 'allow', tiers: tiers as Tier<unknown>[] });
    down();

    const { reason, outcomes, source } = await limiter.consume({});

    expect([reason, outcomes.map((outcome) => outcome.tier), source]).toEqual(expected);
  });

  it.each(MODES)("returns 'never' for a limit of 0, and charges nothing (%s)", async (onStoreFailure) => {
    const zero: Tier<unknown> = { ...day, name: 'zero', limit: () => 0 };
    const { limiter, down } = limited({ tiers: [hour, zero], onStoreFailure });
    down();

    const decision = await limiter.consume({});

    expect(decision).toMatchObject({ allowed: false, reason: 'never', deniedBy: ['zero'], degraded: true });
    expect(limiter.policies(decision)).toHaveLength(decision.outcomes.length);
    const others = onStoreFailure === 'local' ? [['hour', 10]] : [];
    expect(remaining(await limiter.peek({}))).toEqual([['zero', 0], ...others]);
  });

  it('rejects an invalid request before it calls the store', async () => {
    const key = () => {
      throw new Error('no user');
    };
    const { limiter, store, down } = limited({ tiers: [{ ...hour, key }] });
    down();

    await expect(limiter.consume({})).rejects.toBeInstanceOf(UsageError);
    await expect(limiter.consume({}, { cost: -1 })).rejects.toBeInstanceOf(UsageError);
    expect(store.calls).toBe(0);
  });

  it('rejects once the store was closed', async () => {
    const { limiter, store } = limited({ onStoreFailure: 'allow' });
    await store.close();

    await expect(limiter.consume({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(limiter.peek({})).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('shares its local counters with all limiters of the store', async () => {
    const { limiter, store, down } = limited();
    const other = createLimiter({ store, tiers: [hour] });
    down();

    await limiter.consume({}, { cost: 4 });

    expect(remaining(await other.peek({}))).toEqual([['hour', 6]]);
  });
});

describe('LimiterOptions.share', () => {
  it('limits this process during an outage, and at no other time', async () => {
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

  it('is the limit of requests that may wait for a permit, too', async () => {
    const tiers: Tier<unknown>[] = [{ name: 'running', key: () => 'ada', algorithm: 'concurrency', limit: 6, wait: 2 }];
    const { limiter, down } = limited({ share: 1 / 3, tiers });
    down();

    const decisions = [await limiter.consume({}), await limiter.consume({}), await limiter.consume({})];

    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(decisions[2]).toMatchObject({ degraded: true, source: 'local', outcomes: [{ limit: 2, remaining: 0 }] });
  });

  it("makes a cost above the share 'unavailable', and a cost above the limit 'never'", async () => {
    const { limiter, down } = limited({ share: 1 / 3 });
    down();

    expect(await limiter.consume({}, { cost: 5 })).toMatchObject({ allowed: false, reason: 'unavailable' });
    expect(await limiter.consume({}, { cost: 11 })).toMatchObject({ allowed: false, reason: 'never' });
    expect(await limiter.consume({}, { cost: 4 })).toMatchObject({ allowed: true, outcomes: [{ remaining: 0 }] });
  });

  it("is all that a cost above it requests, with aboveFull: 'all'", async () => {
    const { limiter, down } = limited({ share: 1 / 3, tiers: [{ ...hour, aboveFull: 'all' }] });
    down();

    const all = await limiter.consume({}, { cost: 11 });

    expect(all).toMatchObject({ allowed: true, outcomes: [{ limit: 4, remaining: 0 }] });
    expect(await limiter.consume({}, { cost: 5 })).toMatchObject({ allowed: false, reason: 'denied' });
    expect(await limiter.settle(all, 2)).toBe(-2);
  });

  it('applies to requests in flight that may wait for a permit', async () => {
    const jobs = { name: 'jobs', key: () => 'ada', algorithm: 'concurrency', limit: 6, wait: '10ms' } as const;
    const { limiter, down } = limited({ share: 1 / 3, tiers: [jobs] });
    down();

    const decisions = [await limiter.consume({}), await limiter.consume({}), await limiter.consume({})];

    expect(decisions.map(({ allowed, outcomes: [outcome] }) => [allowed, outcome!.limit, outcome!.remaining])).toEqual([
      [true, 2, 1],
      [true, 2, 0],
      [false, 2, 0],
    ]);
    expect(await limiter.consume({}, { cost: 3 })).toMatchObject({ allowed: false, reason: 'unavailable' });
  });

  it('is charged up to full by a settlement above it', async () => {
    const { limiter, down } = limited({ share: 1 / 3 });
    down();
    const decision = await limiter.consume({}, { cost: 1 });

    expect(await limiter.settle(decision, 9)).toBe(3);
  });

  it('applies to limit functions and to plans', async () => {
    const plans = { free: [hour], paid: [{ ...hour, limit: ({ limit }: { limit: number }) => limit }] };
    const tiers = (({ plan }: { plan: 'free' | 'paid' }) => plans[plan]) as never;
    const { limiter, down } = limited({ share: 1 / 4, tiers });
    down();

    const limits = [];
    for (const subject of [{ plan: 'free' }, { plan: 'paid', limit: 100 }, { plan: 'paid', limit: 6 }]) {
      limits.push((await limiter.consume(subject)).outcomes[0]!.limit);
    }

    expect(limits).toEqual([3, 25, 2]);
  });

  it('is in the policies of a decision of this process', async () => {
    const { limiter, down } = limited({ share: 1 / 2, tiers: [hour, { ...day, onStoreFailure: 'allow' }] });
    const limits = (decision: Decision) => limiter.policies(decision).map(({ limit }) => limit);

    const before = await limiter.consume({});
    down();
    const alone = await limiter.consume({});

    expect([limits(before), limits(alone)]).toEqual([[20, 10], [5]]);
    expect(alone.outcomes.map((outcome) => outcome.tier)).toEqual(['hour']);
  });
});

describe('Limiter.refund and Limiter.settle around an outage', () => {
  it('give back nothing while the store is down, and spend the decision', async () => {
    const { limiter, down, up } = limited();
    const decision = await limiter.consume({}, { cost: 3 });
    down();

    const given = await limiter.refund(decision);
    up();

    expect([given, await limiter.refund(decision)]).toEqual([0, 0]);
    expect(remaining(await limiter.peek({}))).toEqual([['hour', 7]]);
  });

  it('return a decision of this process to this process', async () => {
    const { limiter, down, up } = limited();
    await limiter.consume({});
    down();
    const [refunded, settled] = [await limiter.consume({}, { cost: 4 }), await limiter.consume({}, { cost: 5 })];
    up();

    const given = [await limiter.refund(refunded, 3), await limiter.settle(settled, 2)];
    const inStore = remaining(await limiter.peek({}));
    down();

    expect(given).toEqual([3, -3]);
    expect([inStore, remaining(await limiter.peek({}))]).toEqual([[['hour', 9]], [['hour', 7]]]);
  });

  it.each(['allow', 'deny'] as const)('change nothing while the store is down (%s)', async (onStoreFailure) => {
    const { limiter, down, up } = limited({ onStoreFailure });
    const [less, more] = [await limiter.consume({}, { cost: 3 }), await limiter.consume({}, { cost: 3 })];
    down();
    const [one, other] = [await limiter.consume({}), await limiter.consume({})];

    const changes = [await limiter.settle(less, 1), await limiter.settle(more, 4)];
    changes.push(await limiter.refund(one), await limiter.settle(other, 5));
    up();

    expect(changes).toEqual([0, 0, 0, 0]);
    expect(limiter.policies(one)).toEqual([]);
    expect(remaining(await limiter.peek({}))).toEqual([['hour', 4]]);
  });
});

describe('Limiter.extend and Limiter.meter around an outage', () => {
  /** The units left in the store, and then in this process. */
  async function left({ limiter, down, up }: ReturnType<typeof limited>) {
    up();
    const inStore = remaining(await limiter.peek({}));
    down();
    return [inStore, remaining(await limiter.peek({}))].map(([hours]) => hours![1]);
  }

  it('charge where the limiter decides, and settle where each lot was charged', async () => {
    const made = limited({ share: 1 / 2 });
    const { limiter, down, up } = made;
    const decision = await limiter.consume({}, { cost: 2 });
    await limiter.extend(decision, { hour: 3 });
    down();
    const local = await limiter.extend(decision, { hour: 2 });
    const denied = await limiter.extend(decision, { hour: 4 });

    expect(local).toMatchObject({ allowed: true, source: 'local', degraded: true });
    expect(denied).toMatchObject({ allowed: false, source: 'local', degraded: true });
    expect(await left(made)).toEqual([5, 3]);

    up();
    // The newest two units are those of this process.
    expect(await limiter.settle(decision, 4)).toBe(-3);
    expect(await left(made)).toEqual([6, 5]);
  });

  it('give back only the lots of this process while the store is down', async () => {
    const made = limited();
    const { limiter, down } = made;
    const decision = await limiter.consume({}, { cost: 2 });
    down();
    await limiter.extend(decision, { hour: 3 });

    expect([await limiter.refund(decision), await limiter.refund(decision)]).toEqual([3, 0]);
    expect(await left(made)).toEqual([8, 10]);
  });

  it.each([
    ['allow', true],
    ['deny', false],
  ] as const)('follow onStoreFailure: %s', async (onStoreFailure, hasRoom) => {
    const { limiter, down } = limited({ onStoreFailure });
    const meter = limiter.meter(await limiter.consume({}), { tier: 'hour', lot: 2 });
    down();

    expect([await meter.add(5), await meter.add(50)]).toEqual([hasRoom, hasRoom]);
    expect(await meter.end()).toBe(0);
  });

  it('reject once the store was closed', async () => {
    const { limiter, store } = limited();
    const decision = await limiter.consume({});
    const meter = limiter.meter(decision, { tier: 'hour', lot: 2 });
    await store.close();

    await expect(limiter.extend(decision, { hour: 1 })).rejects.toMatchObject({ code: 'STORE_CLOSED' });
    await expect(meter.add(5)).rejects.toMatchObject({ code: 'STORE_CLOSED' });
  });
});

describe('Limiter.inspect and Limiter.reset without the store', () => {
  it('rejects to inspect rather than report local state', async () => {
    const { limiter, store, down, up } = limited();
    down();
    await limiter.consume({});

    await expect(limiter.inspect({})).rejects.toBe(unavailable);
    up();
    // The texts without outcomes are not an answer.
    store.peek = async () => Promise.reject(unavailable);
    await expect(limiter.inspect({})).rejects.toBe(unavailable);
  });

  it.each([
    ['local', 'only this process obeys', false],
    ['allow', 'nothing is paused', true],
  ] as const)('rejects to pause with onStoreFailure: %s, because %s', async (onStoreFailure, effect, allowed) => {
    const tier = { name: 'blocked', key: () => 'ada', algorithm: 'pause', onStoreFailure } as const;
    const { limiter, down } = limited({ tiers: [tier] });
    down();

    const paused = limiter.pause({}, '10m');

    await expect(paused).rejects.toMatchObject({ name: 'StoreError', code: 'STORE_UNAVAILABLE' });
    await expect(paused).rejects.toThrow(`so ${effect} until it answers`);
    expect(await limiter.consume({})).toMatchObject({ allowed });
  });

  it('pauses this process alone when work throws a CoolDown, and rejects with the error of the work', async () => {
    const { limiter, down } = limited({ tiers: [{ name: 'upstream', key: () => 'ada', algorithm: 'pause' }] });
    down();

    const work = async () => {
      throw new CoolDown('10m');
    };

    await expect(run(limiter, {}, work)).rejects.toBeInstanceOf(CoolDown);
    expect(await limiter.consume({})).toMatchObject({ allowed: false, deniedBy: ['upstream'] });
  });

  it.each(['local', 'allow'] as const)('waits the pause of an upstream out, with onStoreFailure: %s', async (mode) => {
    jest.useFakeTimers();
    const upstream = { name: 'upstream', key: () => 'ada', algorithm: 'pause' } as const;
    const { limiter, down } = limited({ tiers: [upstream], onStoreFailure: mode });
    down();
    let calls = 0;
    const work = () => {
      calls += 1;
      if (calls > 9) throw new Error('The pause is not waited out.');
      return 429;
    };

    const ran = run(limiter, {}, work, { wait: '800ms', coolDown: () => 300 }).catch(() => undefined);
    await jest.advanceTimersByTimeAsync(2_000);

    expect(await ran).toMatchObject({ admitted: true, value: 429 });
    expect([2, 3]).toContain(calls);
  });

  it('rejects to reset, and forgets the local state', async () => {
    const { limiter, down } = limited();
    down();
    await limiter.consume({}, { cost: 10 });

    await expect(limiter.reset({})).rejects.toBeInstanceOf(StoreError);
    expect(await limiter.consume({})).toMatchObject({ allowed: true, source: 'local' });
  });

  it('resets store and local state when the store is back', async () => {
    const { limiter, down, up } = limited();
    await limiter.consume({}, { cost: 10 });
    down();
    await limiter.consume({}, { cost: 10 });
    up();

    await limiter.reset({});
    const inStore = await limiter.consume({});
    down();

    expect(inStore).toMatchObject({ allowed: true, source: 'memory' });
    expect(await limiter.consume({})).toMatchObject({ allowed: true, source: 'local' });
  });
});
