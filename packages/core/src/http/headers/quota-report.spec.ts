import type { PolicyOptions } from '../../algorithms/policy-options.js';
import { createLimiter } from '../../limiter/limiter.js';
import type { Tier } from '../../limiter/tiers/tier.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../testing/clock.js';
import type { LimiterDecision } from './reported-tiers.js';
import { QuotaReport, violatedPolicies } from './quota-report.js';

const fixed: PolicyOptions = { algorithm: 'fixed-window', limit: 5, window: '1m' };
const bucket: PolicyOptions = { algorithm: 'token-bucket', limit: 5, window: '1m' };

describe('the time of a share', () => {
  it('C17 by the table: is ceil(r * w / q) while units are left, so that r / t is at most q / w', () => {
    expect(shareAfter(bucket, 1)).toMatchObject({ remaining: 4, window: 48 });
    expect(shareAfter({ limit: 7, window: '1m' }, 1)).toMatchObject({ remaining: 6, window: 52 });
    expect(shareAfter({ algorithm: 'sliding-window-log', limit: 7, window: '10s' }, 5)).toMatchObject({
      remaining: 2,
      window: 3,
    });
  });

  it('C16 C17 by the table: is the end of a fixed window, however many units are left', () => {
    const { clock, share } = watch(fixed);

    const shares = [1, 1, 1, 1, 1, 1].map((cost) => {
      const told = share(cost);
      clock.advance('10s');
      return [told.remaining, told.window];
    });

    expect(shares).toEqual([
      [4, 60],
      [3, 50],
      [2, 40],
      [1, 30],
      [0, 20],
      [0, 10],
    ]);
  });

  it('C7 is at most the window of a fixed window, which may end a part of a millisecond later', () => {
    const { clock, share } = watch(fixed);
    clock.advance(0.001);

    expect(share(1)).toMatchObject({ remaining: 4, window: 60 });
    expect(share(4)).toMatchObject({ remaining: 0, window: 60 });
    expect(share(1)).toMatchObject({ remaining: 0, window: 60 });
  });

  it('is all of a fixed window that has not begun', () => {
    expect(shareAfter(fixed, 0)).toMatchObject({ remaining: 5, window: 60 });
  });

  it('is the time to the next unit when none is left', () => {
    expect(shareAfter(bucket, 5)).toMatchObject({ remaining: 0, window: 12 });
    expect(shareAfter(fixed, 5)).toMatchObject({ remaining: 0, window: 60 });
  });

  it('is the time until the request fits where the tier denies, and nothing is said to be left', () => {
    expect(shareAfter(bucket, 3, 4)).toMatchObject({ remaining: 0, window: 24 });
  });

  it('is not told where waiting does not help', () => {
    expect(shareAfter(bucket, 6)).toMatchObject({ remaining: 0, window: undefined });
    expect(shareAfter({ ...bucket, limit: () => 0 } as unknown as PolicyOptions, 0)).toMatchObject({
      policy: { quota: 0, window: 60 },
      remaining: 0,
      window: undefined,
    });
  });

  it('is told in at most as many seconds as Retry-After', () => {
    expect(shareAfter({ algorithm: 'fixed-window', limit: 1, window: '30d' }, 1, 1).window).toBe(2_147_483);
  });
});

describe('resetAfter', () => {
  it('is the time until all is there, while units are left', () => {
    expect(standingAfter(bucket, 1).resetAfter).toBe(12_000);
    expect(standingAfter({ limit: 5, window: '1m' }, 1).resetAfter).toBe(120_000);
  });

  it('is the time to the next unit when none is left', () => {
    expect(standingAfter(bucket, 5).resetAfter).toBe(12_000);
  });

  it('is Retry-After, in whole seconds, of what is denied', () => {
    expect(standingAfter({ ...bucket, window: '7s' }, 5, 1).resetAfter).toBe(2_000);
    expect(standingAfter({ algorithm: 'fixed-window', limit: 1, window: '30d' }, 1, 1).resetAfter).toBe(2_147_483_000);
  });

  it('is the time to the next unit of what never fits', () => {
    expect(standingAfter(bucket, 5, 6).resetAfter).toBe(12_000);
    expect(standingAfter(bucket, 6).resetAfter).toBe(0);
  });
});

describe('a standing', () => {
  it('is bound by the tier with the least left over all limiters', () => {
    const all = [counted({ ...bucket, name: 'one' }, 1), counted({ ...fixed, limit: 3, name: 'other' }, 1)];

    const { binding, policy, remaining } = QuotaReport.of(all)!;

    expect([binding.tier, policy, remaining]).toEqual(['other', { name: 'other', quota: 3, window: 60 }, 2]);
  });

  it('is bound by a tier that denies, whatever others have left, and by the one that takes longest', () => {
    const all = [
      counted({ ...bucket, name: 'soon' }, 5, 1),
      counted({ ...fixed, name: 'empty' }, 5),
      counted({ ...fixed, name: 'late' }, 5, 1),
    ];

    expect(QuotaReport.of(all)!.binding.tier).toBe('late');
    expect(QuotaReport.of(all)!.remaining).toBe(0);
  });

  it('names the quota of its binding tier as the lists do', () => {
    const all = [counted({ ...bucket, name: 'same' }, 1), counted({ ...bucket, limit: 4, name: 'same' }, 1)];

    expect(QuotaReport.of(all)!.policy.name).toBe('same-2');
    expect(QuotaReport.of(all)!.serviceLimits.map(({ policy }) => policy.name)).toEqual(['same', 'same-2']);
  });

  it('names every window of a tier as a quota, and shares by the window that binds', () => {
    const windows = [
      { limit: 10, window: '1s' },
      { limit: 100, window: '1m' },
    ] as const;

    const standing = standingAfter({ algorithm: 'multi-window', windows }, 1);

    expect(standing.policies.map(({ name }) => name)).toEqual(['tier/1m', 'tier/1s']);
    expect(standing.serviceLimits).toEqual([
      { policy: { name: 'tier/1s', quota: 10, window: 1 }, remaining: 9, window: 1 },
    ]);
  });

  it('is none where no enforced tier has answered', () => {
    const none = createLimiter({ tiers: () => [] });
    const decision = none.consume({}) as LimiterDecision['decision'];

    expect(QuotaReport.of([])).toBeUndefined();
    expect(QuotaReport.of([{ limiter: none, decision }])).toBeUndefined();
    expect(QuotaReport.of([counted({ ...bucket, mode: 'shadow' }, 5, 1)])).toBeUndefined();
  });
});

describe('violatedPolicies', () => {
  it('C26 names what denies, of all limiters', () => {
    const all = [counted({ ...bucket, name: 'denies' }, 5, 1), counted({ ...fixed, name: 'allows' }, 1)];

    expect(violatedPolicies(all)).toEqual(['denies']);
  });
});

function counted(options: PolicyOptions & Partial<Tier<unknown>>, ...costs: number[]): LimiterDecision {
  return watch(options).counted(...costs);
}

function standingAfter(options: PolicyOptions, ...costs: number[]): QuotaReport {
  return QuotaReport.of([counted(options, ...costs)])!;
}

function shareAfter(options: PolicyOptions, ...costs: number[]) {
  return standingAfter(options, ...costs).serviceLimits[0]!;
}

/** A tier on a clock that stands still: what is told of the last of some costs. */
function watch(options: PolicyOptions & Partial<Tier<unknown>>) {
  const clock = fakeClock();
  const tier = { name: 'tier', key: () => 'ada', ...options } as unknown as Tier<unknown>;
  const limiter = createLimiter({ store: memoryStore({ clock }), tiers: [tier] });
  const decide = (...costs: number[]): LimiterDecision => {
    const decisions = costs.map((cost) => limiter.consume({}, { cost }) as LimiterDecision['decision']);
    return { limiter, decision: decisions.at(-1)! };
  };
  return { clock, counted: decide, share: (cost: number) => QuotaReport.of([decide(cost)])!.serviceLimits[0]! };
}
