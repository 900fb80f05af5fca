import { bindingOf, toDecision, unavailable } from './decision.js';
import type { Outcome } from './outcome.js';

describe('toDecision', () => {
  it('allows a request that every enforced outcome allows', () => {
    const decision = toDecision([outcome({ tier: 'day' }), outcome({ tier: 'hour' })], { source: 'memory' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, source: 'memory' });
    expect(decision.degraded).toBe(false);
  });

  it('names the denying tiers in the order of the outcomes', () => {
    const outcomes = [denied('day', 10), outcome({ tier: 'hour' }), denied('minute', 5), denied('second', 7)];

    const decision = toDecision(outcomes, { source: 'redis' });

    expect(decision).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['day', 'minute', 'second'] });
    expect(decision.outcomes).toBe(outcomes);
  });

  it('is bound by the denying outcome with the longest retryAfter', () => {
    const decision = toDecision([outcome({ tier: 'day', remaining: 0 }), denied('hour', 5), denied('minute', 7)], {
      source: 'redis',
    });

    expect(decision.binding!.tier).toBe('minute');
    expect(decision.retryAfter).toBe(7);
  });

  it('is bound by the outcome with the fewest units left when all allow', () => {
    const outcomes = [3, 1, 2].map((remaining) => outcome({ tier: `${remaining} left`, remaining }));

    expect(toDecision(outcomes, { source: 'redis' }).binding!.tier).toBe('1 left');
  });

  it.each([
    ['retryAfter', [denied('first', 5), denied('second', 5)]],
    ['remaining', [outcome({ tier: 'first' }), outcome({ tier: 'second' })]],
  ])('is bound by the first of several with equal %s', (_name, outcomes) => {
    expect(toDecision(outcomes, { source: 'redis' }).binding!.tier).toBe('first');
  });

  it('denies for ever when a tier can never hold the cost', () => {
    const outcomes = [denied('day', 1e9), { ...denied('hour', Infinity), never: true }, denied('minute', 5)];

    const decision = toDecision(outcomes, { source: 'redis' });

    expect(decision).toMatchObject({ allowed: false, reason: 'never', retryAfter: Infinity });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.deniedBy).toEqual(['day', 'hour', 'minute']);
  });

  it('ignores shadow outcomes', () => {
    const watching = { ...denied('watching', Infinity), never: true, shadow: true, delay: 50 };

    const decision = toDecision([watching, outcome({ tier: 'hour', remaining: 9 })], { source: 'redis' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, delay: 0 });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.outcomes).toContain(watching);
  });

  it.each([
    ['no outcomes', []],
    ['only shadow outcomes', [outcome({ shadow: true })]],
  ])('has no binding when there are %s', (_name, outcomes) => {
    const decision = toDecision(outcomes, { source: 'none' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], delay: 0, source: 'none' });
    expect(decision).not.toHaveProperty('binding');
  });

  it('delays an allowed request by the longest delay, and a denied one not at all', () => {
    const queued = outcome({ tier: 'queue', delay: 250 });

    expect(toDecision([queued, outcome({ delay: 0 })], { source: 'redis' }).delay).toBe(250);
    expect(toDecision([queued, denied('hour', 5)], { source: 'redis' }).delay).toBe(0);
  });
});

describe('bindingOf', () => {
  it('picks the binding one of the outcomes of several decisions', () => {
    const outcomes = [outcome({ tier: 'much' }), outcome({ tier: 'little', remaining: 1 })];

    expect(bindingOf(outcomes)!.tier).toBe('little');
    expect(bindingOf([...outcomes, denied('short', 5), denied('long', 7)])!.tier).toBe('long');
    expect(bindingOf([denied('long', 7), { ...denied('never', Infinity), never: true }])!.tier).toBe('never');
    expect(bindingOf([denied('first', 5), denied('second', 5)])!.tier).toBe('first');
  });

  it('returns undefined without outcomes', () => {
    expect(bindingOf([])).toBeUndefined();
  });
});

describe('toDecision with a fallback', () => {
  it('is degraded', () => {
    const decision = toDecision([outcome({ tier: 'hour' })], { source: 'local', fallback: 'local' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', source: 'local', degraded: true });
    expect(decision.binding!.tier).toBe('hour');
  });

  it('denies by a local outcome', () => {
    expect(toDecision([denied('hour', 5)], { source: 'local', fallback: 'local' })).toMatchObject({
      allowed: false,
      reason: 'denied',
      deniedBy: ['hour'],
      retryAfter: 5,
      degraded: true,
    });
  });

  it('allows a request without outcomes', () => {
    const decision = toDecision([], { source: 'none', fallback: 'allow' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none', degraded: true });
    expect(decision).not.toHaveProperty('binding');
  });

  it('is unavailable if the fallback is deny', () => {
    expect(toDecision([], { source: 'none', fallback: 'deny' })).toEqual({
      ...unavailable(),
      retryAfter: expect.any(Number),
    });
  });

  it('is never, not unavailable, if a limit of 0 denies', () => {
    const never = { ...denied('hour', Infinity), never: true };

    expect(toDecision([never], { source: 'none', fallback: 'deny' })).toMatchObject({
      allowed: false,
      reason: 'never',
      degraded: true,
    });
    expect(toDecision([{ ...never, shadow: true }], { source: 'none', fallback: 'deny' }).reason).toBe('unavailable');
  });
});

describe('unavailable', () => {
  it('denies without naming a tier', () => {
    expect(unavailable()).toEqual({
      allowed: false,
      reason: 'unavailable',
      deniedBy: [],
      outcomes: [],
      retryAfter: expect.any(Number),
      delay: 0,
      source: 'none',
      degraded: true,
    });
  });

  it('asks clients to retry after 1 to 5 seconds, at random', () => {
    const waits = Array.from({ length: 1_000 }, () => unavailable().retryAfter);

    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(waits.every(Number.isInteger)).toBe(true);
    for (const second of [1, 2, 3, 4]) {
      expect(waits.some((wait) => Math.floor(wait / 1_000) === second)).toBe(true);
    }
  });
});

function outcome(given: Partial<Outcome>): Outcome {
  return {
    tier: 'tier',
    allowed: true,
    never: false,
    shadow: false,
    limit: 10,
    remaining: 5,
    retryAfter: 0,
    replenishAfter: 0,
    resetAfter: 0,
    delay: 0,
    ...given,
  };
}

function denied(tier: string, retryAfter: number): Outcome {
  return outcome({ tier, allowed: false, remaining: 3, retryAfter });
}
