import type { PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Tier } from '../../../core/src/limiter/tiers/tier.js';
import type { Decision } from '../../../core/src/model/decision.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { decided, tierOnClock } from '../../../../test/support/tier-on-clock.js';
import { headerFormats, type HeaderFormat } from './header-formats.js';
import { QuotaReport, retryAfterMsOf, retryAfterOf } from './quota-report.js';
import { balance, creditsOf } from '../../../quotas/src/index.js';

const fixed: PolicyOptions = { algorithm: 'fixed-window', limit: 5, window: '1m' };
const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 5, window: '1m' };
const month: PolicyOptions = { algorithm: 'fixed-window', limit: 1, window: '30d' };

describe('QuotaReport', () => {
  it('is undefined if no enforced tier applied', () => {
    const limiter = createLimiter({ tiers: () => [] });
    const decision = limiter.consume({}) as Decision;

    expect(QuotaReport.of([])).toBeUndefined();
    expect(QuotaReport.of([{ limiter, decision }])).toBeUndefined();
    expect(QuotaReport.of([decided({ ...bucket, mode: 'shadow' }, 5, 1)])).toBeUndefined();
  });

  it('binds to the tier with the least left over all limiters', () => {
    const all = [decided({ ...bucket, name: 'one' }, 1), decided({ ...fixed, limit: 3, name: 'other' }, 1)];

    const { binding, policy, remaining } = QuotaReport.of(all)!;

    expect([binding.tier, policy, remaining]).toEqual(['other', { name: 'other', quota: 3, window: 60 }, 2]);
  });

  it('binds to the tier that denies longest', () => {
    const all = [
      decided({ ...bucket, name: 'soon' }, 5, 1),
      decided({ ...fixed, name: 'empty' }, 5),
      decided({ ...fixed, name: 'late' }, 5, 1),
    ];

    const { binding, remaining } = QuotaReport.of(all)!;

    expect([binding.tier, remaining]).toEqual(['late', 0]);
  });

  it('resets in at most the window of a fixed window, which ends up to a tick late', () => {
    const { clock, decide } = tierOnClock(fixed);
    clock.advance(0.4);
    const [first, denied] = [[1], [4, 1]].map((costs) => QuotaReport.of([decide(...costs)])!);

    expect([first!.resetAfter, first!.resetSeconds]).toEqual([60_001, 60]);
    // A denied client that came back a millisecond early would be denied again.
    expect([denied!.resetAfter, denied!.resetSeconds]).toEqual([60_001, 61]);
  });

  it('does not bind to a ban while it admits, and to a ban or a pause with its time while it denies', async () => {
    const key = () => 'a';
    const strikes = { algorithm: 'backoff', limit: 0, window: '1d', delays: ['10m'] } as const;
    const limiter = createLimiter<object>({
      store: memoryStore({ clock: fakeClock() }),
      tiers: [
        { name: 'minute', key, limit: 2, window: '1m' },
        { ...strikes, name: 'ban', key, charge: 'denied' },
        { name: 'pause', key, algorithm: 'pause' },
      ],
    });
    const report = () => {
      const { binding, serviceLimits } = QuotaReport.of([{ limiter, decision: limiter.consume({}) as Decision }])!;
      return [binding.tier, serviceLimits.map(({ policy, window }) => [policy.name, window])];
    };
    const admitted = [report(), report()];
    const banned = report();
    await limiter.pause({}, '1h');

    expect(admitted.map(([tier]) => tier)).toEqual(['minute', 'minute']);
    expect(admitted[0]![1]).toEqual([
      ['ban', undefined],
      ['minute', 30],
    ]);
    expect(banned[0]).toBe('ban');
    expect(banned[1]).toContainEqual(['ban', 600]);
    expect(report()).toEqual(['pause', expect.arrayContaining([['pause', 3_600]])]);
  });

  it('names its policy as the lists do', () => {
    const all = [decided({ ...bucket, name: 'same' }, 1), decided({ ...bucket, limit: 4, name: 'same' }, 1)];

    const { policy, serviceLimits } = QuotaReport.of(all)!;

    expect(policy.name).toBe('same-2');
    expect(serviceLimits.map((each) => each.policy.name)).toEqual(['same', 'same-2']);
  });

  it('has a policy for each window of a tier, and a service limit for the binding window', () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ] as const;

    const { policies, serviceLimits } = reportAfter({ algorithm: 'multi-window', windows }, 1);

    expect(policies.map(({ name }) => name)).toEqual(['tier/1m', 'tier/1s']);
    expect(serviceLimits).toEqual([{ policy: { name: 'tier/1s', quota: 10, window: 1 }, remaining: 9, window: 1 }]);
  });
});

describe('QuotaReport.resetAfter', () => {
  it.each<[string, PolicyOptions, number[], number]>([
    ['the budget is full, while units are left', bucket, [1], 12_000],
    ['the budget is full, for sliding windows', { limit: 100, window: '1m' }, [1], 120_000],
    ['the next unit, when none is left', bucket, [5], 12_000],
    ['the request fits', { ...bucket, window: '7s' }, [5, 1], 1_400],
    ['the request fits, also in weeks', month, [1, 1], 2_592_000_000],
    ['the next unit, if the request never fits', bucket, [5, 6], 12_000],
    ['now, if the budget is full and the request never fits', bucket, [6], 0],
  ])('is the time until %s', (_case, options, costs, milliseconds) => {
    expect(reportAfter(options, ...costs).resetAfter).toBe(milliseconds);
  });
});

describe('QuotaReport.serviceLimits', () => {
  it.each<[string, object, number[], number, number | undefined]>([
    ['ceil(r * w / q) for a bucket', bucket, [1], 4, 48],
    ['ceil(r * w / q) for sliding windows', { limit: 7, window: '1m' }, [1], 6, 52],
    ['ceil(r * w / q) for a log', { algorithm: 'sliding-window-log', limit: 7, window: '10s' }, [5], 2, 3],
    ['all of a fixed window that has not begun', fixed, [0], 5, 60],
    ['the time to the next unit of an empty bucket', bucket, [5], 0, 12],
    ['the rest of an exhausted fixed window', fixed, [5], 0, 60],
    ['the time until a denied request fits', bucket, [3, 4], 0, 24],
    ['undefined for a cost that never fits', bucket, [6], 0, undefined],
    ['undefined for a limit of 0', { ...bucket, limit: () => 0 }, [0], 0, undefined],
    ['the time until a denied request fits, also in weeks', month, [1, 1], 0, 2_592_000],
  ])('C17 have the window by the table: %s', (_case, options, costs, remaining, window) => {
    const [serviceLimit] = reportAfter(options as PolicyOptions, ...costs).serviceLimits;

    expect(serviceLimit).toMatchObject({ remaining, window });
  });

  it('C7 have at most the length of a fixed window, which can end a tick late', () => {
    const { clock, decide } = tierOnClock(fixed);
    clock.advance(0.001);

    const windows = [1, 4, 1].map((cost) => QuotaReport.of([decide(cost)])!.serviceLimits[0]!.window);

    expect(windows).toEqual([60, 60, 60]);
  });
});

describe('retryAfterOf', () => {
  it.each([
    [0, 1],
    [1, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999.5, 60],
    [400 * 86_400_000, 34_560_000],
  ])('C22 rounds %d ms up to %d seconds, at least 1', (retryAfter, seconds) => {
    expect(retryAfterOf({ retryAfter })).toBe(seconds);
  });

  it('returns undefined where waiting does not help', () => {
    expect(retryAfterOf({ retryAfter: Infinity })).toBeUndefined();
  });
});

describe('retryAfterMsOf', () => {
  it.each([
    [0, 1],
    [1, 1],
    [59_999, 59_999],
    [400 * 86_400_000, 34_560_000_000],
  ])('returns for %d ms %d, at least 1', (retryAfter, milliseconds) => {
    expect(retryAfterMsOf({ retryAfter })).toBe(milliseconds);
  });
});

function reportAfter(options: PolicyOptions, ...costs: number[]): QuotaReport {
  return QuotaReport.of([decided(options, ...costs)])!;
}

describe('QuotaReport of a balance', () => {
  const key = () => 'ada';
  const quota = { name: 'month', key, algorithm: 'fixed-window', limit: 2, window: '1d' } as const;
  const credits = { name: 'credits', key, algorithm: balance({ covers: ['month'] }) } as const;
  const NOW = Date.UTC(2030, 0, 1);
  const scene = async (...tiers: Tier<object>[]) => {
    const limiter = createLimiter<object>({ store: memoryStore({ clock: fakeClock(NOW) }), tiers });
    await creditsOf(limiter).credit({}, 10, { id: 'x' });
    return (cost: number, format: HeaderFormat) => {
      const report = QuotaReport.of([{ limiter, decision: limiter.consume({}, { cost }) as Decision }])!;
      const headers: Record<string, string> = {};
      headerFormats[format].write({ setHeader: (name, value) => void (headers[name] = value) }, report, NOW);
      return headers;
    };
  };

  it('shows the tier that it covers until it pays, then that tier as used up and what it has left', async () => {
    const write = await scene(quota, credits);

    expect(write(1, 'x-ratelimit')).toEqual({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '1893542400',
    });
    expect(write(4, 'draft-11')).toEqual({
      'ratelimit-policy': '"month";q=2;w=86400, "credits";q=10',
      ratelimit: '"month";r=0;t=86400, "credits";r=6',
    });
    // More comes at the end of the month.
    expect(write(2, 'x-ratelimit')).toEqual({
      'x-ratelimit-limit': '6',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': '1893542400',
    });
    expect(write(2, 'draft-7')).toEqual({
      'ratelimit-policy': '4',
      ratelimit: 'limit=4, remaining=2, reset=86400',
    });
    expect(write(3, 'draft-11')).toEqual({
      'ratelimit-policy': '"month";q=2;w=86400, "credits";q=2',
      ratelimit: '"month";r=0, "credits";r=2',
    });
  });

  it('shows a prepaid balance, which no time refills', async () => {
    const write = await scene({ name: 'prepaid', key, algorithm: balance() });

    expect(write(4, 'draft-11')).toEqual({ 'ratelimit-policy': '"prepaid";q=10', ratelimit: '"prepaid";r=6' });
    expect(write(7, 'x-ratelimit')).toEqual({
      'x-ratelimit-limit': '6',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1893456000',
    });
  });
});

describe('QuotaReport of a period', () => {
  it('has the length of the period in which the store has counted, also where the process is in another month', () => {
    const lastHour = Date.UTC(2026, 10, 30, 23);
    jest.spyOn(Date, 'now').mockReturnValue(lastHour);
    const clock = fakeClock(lastHour + 2 * 3_600_000);
    const tier = { name: 'month', key: () => 'ada', algorithm: 'fixed-window', limit: 5, period: 'month' } as const;
    const limiter = createLimiter<object>({ store: memoryStore({ clock }), ...tier });

    const report = QuotaReport.of([{ limiter, decision: limiter.consume({}) as Decision }])!;
    jest.restoreAllMocks();

    expect(report.policies).toEqual([{ name: 'month', quota: 5, window: 31 * 86_400 }]);
    expect(report.serviceLimits[0]!.window).toBe(31 * 86_400 - 3_600);
  });
});
