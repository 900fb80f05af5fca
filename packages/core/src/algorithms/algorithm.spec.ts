import * as fc from 'fast-check';
import type { AlgorithmName } from './named/algorithms.js';
import type { Policy } from '../model/policy.js';
import { algorithmOf, type Charge } from './algorithm.js';
import type { ClaimResult } from './kernel.js';
import { algorithms } from './named/algorithms.js';
import { definePolicy, type PolicyOptions } from './named/policy-options.js';

// The rules of every algorithm whose units come back by time, for random policies and states. Times are in ticks of the
// policy.

/** Units that are held come back when requests end, strikes all at once, a pause has none, and a balance never refills. */
type TimedName = Exclude<AlgorithmName, 'backoff' | 'concurrency' | 'pause' | 'balance'>;

const names = algorithms()
  .map(({ name }) => name)
  .filter((name): name is TimedName => !['concurrency', 'backoff', 'pause'].includes(name));

describe.each(names)('%s', (name) => {
  it('denies until one tick before retryAfter has passed, and admits when it has', () => {
    holds(name, ({ policy, state, now, cost }) => {
      const wait = algorithmOf(policy).wait(state, now, policy, cost);

      expect(fits(policy, state, now + wait, cost)).toBe(true);
      expect(wait > 0 && fits(policy, state, now + wait - 1, cost)).toBe(false);
    });
  });

  it('reports the largest cost that fits as remaining', () => {
    holds(name, ({ policy, state, now }) => {
      const { remaining } = look(policy, state, now);

      expect(remaining).toBe(algorithmOf(policy).remaining(state, now, policy));
      expect(remaining === 0 || fits(policy, state, now, remaining)).toBe(true);
      expect(remaining < policy.capacity && fits(policy, state, now, remaining + 1)).toBe(false);
    });
  });

  it('has one unit more when replenishAfter has passed, and not before', () => {
    holds(name, ({ policy, state, now }) => {
      const { remaining, replenishAfter } = look(policy, state, now);

      expect(replenishAfter > 0).toBe(remaining < policy.capacity);
      if (replenishAfter === 0) return;
      expect(look(policy, state, now + replenishAfter).remaining).toBeGreaterThan(remaining);
      expect(look(policy, state, now + replenishAfter - 1).remaining).toBe(remaining);
    });
  });

  it('has nothing used when resetAfter has passed, and not before', () => {
    holds(name, ({ policy, state, now }) => {
      const { resetAfter } = look(policy, state, now);

      expect(look(policy, state, now + resetAfter)).toMatchObject({ remaining: policy.capacity, resetAfter: 0 });
      expect(resetAfter === 0 || look(policy, state, now + resetAfter - 1).resetAfter === 1).toBe(true);
    });
  });

  it('expires a state when nothing is used, and not before', () => {
    holds(name, ({ policy, state, now }) => {
      const expiresAt = algorithmOf(policy).expiresAt(state, policy);

      expect(expiresAt).toBeGreaterThanOrEqual(
        look(policy, state, now).resetAfter > 0 ? now + look(policy, state, now).resetAfter : 0,
      );
      expect(look(policy, state, Math.max(now, expiresAt)).resetAfter).toBe(0);
    });
  });

  it('charges a cost that fits, and a larger one up to full', () => {
    holds(name, ({ policy, state, now, cost }) => {
      const before = look(policy, state, now).remaining;

      const after = look(policy, algorithmOf(policy).charge(state, now, policy, cost), now);

      expect(after.remaining).toBe(Math.max(0, before - cost));
      expect(after.resetAfter).toBeLessThanOrEqual(refill(policy));
    });
  });

  it('refunds a charge immediately, and leaves the state before it', () => {
    holds(name, ({ policy, state, now, cost }) => {
      fc.pre(fits(policy, state, now, cost));
      const { charged, receipt } = charge(policy, state, now, cost);

      const { state: refunded, given } = algorithmOf(policy).refund(charged, now, policy, receipt);

      expect(given).toBe(cost);
      expect(look(policy, refunded, now)).toEqual(look(policy, state, now));
    });
  });

  it('refunds later at most the charge, without the units that time gave back', () => {
    holds(name, ({ policy, state, now, cost, later }) => {
      fc.pre(fits(policy, state, now, cost));
      const { charged, receipt } = charge(policy, state, now, cost);
      const then = now + later;

      const { state: refunded, given } = algorithmOf(policy).refund(charged, then, policy, receipt);

      expect(given).toBeGreaterThanOrEqual(0);
      expect(given).toBeLessThanOrEqual(cost);
      expect(look(policy, refunded, then).remaining).toBeLessThanOrEqual(look(policy, state, then).remaining);
      expect(look(policy, refunded, then).remaining).toBeLessThanOrEqual(look(policy, charged, then).remaining + given);
    });
  });

  it('refunds nothing when all units have come back by themselves', () => {
    holds(name, ({ policy, state, now, cost }) => {
      fc.pre(fits(policy, state, now, cost));
      const { charged, receipt } = charge(policy, state, now, cost);

      const { given } = algorithmOf(policy).refund(charged, receipt.until, policy, receipt);

      expect(given).toBe(0);
    });
  });

  it('waits at most one refill after the clock has stepped back', () => {
    holds(name, ({ policy, state, now, cost, later }) => {
      const algorithm = algorithmOf(policy);
      const before = Math.max(0, now - later);

      const redated = algorithm.read(state, before, policy);

      expect(algorithm.wait(redated, before, policy, cost)).toBeLessThanOrEqual(refill(policy));
      expect(algorithm.isAhead(redated, before, policy)).toBe(false);
    });
  });

  it('waits at most one refill after a cut of the limit, and never has more units than it', () => {
    holds(name, ({ policy, other, state, now, cost }) => {
      const algorithm = algorithmOf(other);
      const largest = Math.min(cost, other.capacity);

      const read = algorithm.read(state, now, other);

      expect(algorithm.wait(read, now, other, largest)).toBeLessThanOrEqual(refill(other));
      expect(look(other, read, now).remaining).toBeLessThanOrEqual(other.capacity);
      expect(look(other, read, now).remaining).toBeGreaterThanOrEqual(0);
      expect(other.dimensions).toBe(policy.dimensions);
    });
  });

  it('reads a state that it has read without a change', () => {
    holds(name, ({ policy, state, now, later }) => {
      const algorithm = algorithmOf(policy);
      const read = algorithm.read(state, now + later, policy);

      expect(look(policy, algorithm.read(read, now + later, policy), now + later)).toEqual(
        look(policy, read, now + later),
      );
    });
  });
});

interface Case {
  readonly policy: Policy;
  /** Of another limit, for the same key. */
  readonly other: Policy;
  readonly state: unknown;
  readonly now: number;
  readonly cost: number;
  /** Some ticks, up to a few refills. */
  readonly later: number;
}

function holds(name: TimedName, property: (given: Case) => void): void {
  fc.assert(fc.property(cases(name), property), { numRuns: 60 });
}

function cases(name: TimedName): fc.Arbitrary<Case> {
  const spending = fc.record({
    start: fc.integer({ min: 0, max: 2 ** 40 }),
    steps: fc.array(fc.tuple(fraction, fraction), { maxLength: 30 }),
    cost: fraction,
    later: fraction,
  });
  return fc.tuple(policies(name), spending).map(([{ policy, other }, { start, steps, cost, later }]) => {
    const algorithm = algorithmOf(policy);
    const unit = (share: number) => Math.max(1, Math.ceil(policy.capacity * share));
    let now = start + Math.floor(1.7e15 / policy.tick);
    let state = algorithm.read(undefined, now, policy);
    for (const [pause, share] of steps) {
      now += Math.floor((pause * refill(policy)) / 4);
      state = algorithm.read(state, now, policy);
      if (algorithm.wait(state, now, policy, unit(share)) === 0)
        state = algorithm.charge(state, now, policy, unit(share));
    }
    return { policy, other, state, now, cost: unit(cost), later: Math.floor(later * 3 * refill(policy)) };
  });
}

/** From 0 to 1, and often near its ends. */
const fraction = fc.oneof(
  fc.constantFrom(0, 1e-9, 0.001, 0.1, 0.25, 0.5, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

function policies(name: TimedName): fc.Arbitrary<{ policy: Policy; other: Policy }> {
  const large = name === 'sliding-window-log' ? 200 : 9e7;
  const limit = fc.oneof(
    fc.integer({ min: 1, max: 10 }),
    fc.integer({ min: 1, max: Math.min(large, 1000) }),
    fc.integer({ min: 1, max: large }),
  );
  const window = fc.oneof(
    fc.constantFrom(1, 1000, 60_000, 3_600_000, 86_400_000, 400 * 86_400_000),
    fc.integer({ min: 1, max: 100_000 }),
  );
  const shape: Record<TimedName, fc.Arbitrary<(limits: readonly number[]) => object>> = {
    'fixed-window': fc.constantFrom('first', 'clock').map((anchor) => ([units]) => ({ limit: units, anchor })),
    'sliding-window': fc
      .tuple(fc.constantFrom(1, 2, 5, 10, 50, 250), fc.boolean())
      .map(([precision, strict]) => ([units]) => ({ limit: units, precision, strict })),
    'sliding-window-log': fc.constant(([units]) => ({ limit: units })),
    'token-bucket': fc.boolean().map((bursts) => ([units, burst]) => ({ limit: units, ...(bursts && { burst }) })),
    'leaky-bucket': fc.boolean().map((queues) => ([units, more]) => ({
      limit: units,
      ...(queues ? { queue: more! - 1 } : { burst: more }),
    })),
    'multi-window': fc
      .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 3 })
      .map((factors) => (limits) => ({ factors, limits })),
  };
  const limits = fc.tuple(limit, limit, limit);
  return fc
    .tuple(shape[name], window, limits, limits)
    .map(([make, span, some, others]) => ({
      policy: tryDefine(name, span, make(some)),
      other: tryDefine(name, span, make(others)),
    }))
    .filter((pair): pair is { policy: Policy; other: Policy } => pair.policy !== undefined && pair.other !== undefined);
}

/** Not every random limit has a tick that divides its window. */
function tryDefine(algorithm: AlgorithmName, window: number, options: object): Policy | undefined {
  const { factors, limits } = options as { factors?: number[]; limits?: number[] };
  const windows = factors?.map((factor, index) => ({ window: window * factor, limit: limits![index]! }));
  try {
    return definePolicy((windows ? { algorithm, windows } : { algorithm, window, ...options }) as PolicyOptions);
  } catch {
    return undefined;
  }
}

function fits(policy: Policy, state: unknown, now: number, cost: number): boolean {
  const algorithm = algorithmOf(policy);
  return algorithm.wait(algorithm.read(state, now, policy), now, policy, cost) === 0;
}

/** The ruling on a cost of 0. */
function look(policy: Policy, state: unknown, now: number) {
  const algorithm = algorithmOf(policy);
  const result: ClaimResult = { cost: 0, charged: 0, retryAfter: 0 };
  return algorithm.describe(algorithm.read(state, now, policy), now, policy, result);
}

function charge(policy: Policy, state: unknown, now: number, cost: number): { charged: unknown; receipt: Charge } {
  const charged = algorithmOf(policy).charge(state, now, policy, cost);
  return { charged, receipt: { units: cost, at: now, until: now + look(policy, charged, now).resetAfter } };
}

/** The maximum of ticks until a full budget is unused. */
function refill(policy: Policy): number {
  const { algorithm, window, tick, reach, grain, slot, ring, tolerance } = policy as Policy & {
    reach: number;
    grain: number;
    slot: number;
    ring: number;
    tolerance: readonly [number, number];
  };
  if (algorithm.name === 'fixed-window') return reach + grain - 1;
  if (algorithm.name === 'sliding-window-log') return window / tick;
  return tolerance ? tolerance[0] + 1 : ring * slot;
}
