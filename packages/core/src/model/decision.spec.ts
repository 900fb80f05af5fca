import { bindingOf, toDecision, unavailable } from './decision.js';
import type { Outcome } from './outcome.js';

describe('toDecision', () => {
  it('allows when every enforced outcome does', () => {
    const decision = toDecision([outcome({ tier: 'day' }), outcome({ tier: 'hour' })], 'memory');

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, source: 'memory' });
    expect(decision.degraded).toBe(false);
  });

  it('names every enforced outcome that denies, in the order of the outcomes', () => {
    const outcomes = [denied('day', 10), outcome({ tier: 'hour' }), denied('minute', 5), denied('second', 7)];

    const decision = toDecision(outcomes, 'redis');

    expect(decision).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['day', 'minute', 'second'] });
    expect(decision.outcomes).toBe(outcomes);
  });

  it('is bound by the longest retryAfter of those that deny, whatever the others have left', () => {
    const decision = toDecision(
      [outcome({ tier: 'day', remaining: 0 }), denied('hour', 5), denied('minute', 7)],
      'redis',
    );

    expect(decision.binding!.tier).toBe('minute');
    expect(decision.retryAfter).toBe(7);
  });

  it('is bound by the smallest remaining when none denies', () => {
    const outcomes = [3, 1, 2].map((remaining) => outcome({ tier: `${remaining} left`, remaining }));

    expect(toDecision(outcomes, 'redis').binding!.tier).toBe('1 left');
  });

  it.each([
    ['retryAfter', [denied('first', 5), denied('second', 5)]],
    ['remaining', [outcome({ tier: 'first' }), outcome({ tier: 'second' })]],
  ])('is bound by the earlier one of equal %s', (_name, outcomes) => {
    expect(toDecision(outcomes, 'redis').binding!.tier).toBe('first');
  });

  it('says never, and to wait for ever, when one of those that deny can never hold the cost', () => {
    const outcomes = [denied('day', 1e9), { ...denied('hour', Infinity), never: true }, denied('minute', 5)];

    const decision = toDecision(outcomes, 'redis');

    expect(decision).toMatchObject({ allowed: false, reason: 'never', retryAfter: Infinity });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.deniedBy).toEqual(['day', 'hour', 'minute']);
  });

  it('lets shadow outcomes neither deny, bind, nor delay', () => {
    const watching = { ...denied('watching', Infinity), never: true, shadow: true, delay: 50 };

    const decision = toDecision([watching, outcome({ tier: 'hour', remaining: 9 })], 'redis');

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, delay: 0 });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.outcomes).toContain(watching);
  });

  it.each([
    ['nothing', []],
    ['shadow outcomes', [outcome({ shadow: true })]],
  ])('has no binding when there is %s', (_name, outcomes) => {
    const decision = toDecision(outcomes, 'none');

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], delay: 0, source: 'none' });
    expect(decision).not.toHaveProperty('binding');
  });

  it('waits for the longest delay of an allowed request, and not at all when it is denied', () => {
    const queued = outcome({ tier: 'queue', delay: 250 });

    expect(toDecision([queued, outcome({ delay: 0 })], 'redis').delay).toBe(250);
    expect(toDecision([queued, denied('hour', 5)], 'redis').delay).toBe(0);
  });
});

describe('bindingOf', () => {
  it('is what decides among the outcomes of several decisions as it does among those of one', () => {
    const outcomes = [outcome({ tier: 'much' }), outcome({ tier: 'little', remaining: 1 })];

    expect(bindingOf(outcomes)!.tier).toBe('little');
    expect(bindingOf([...outcomes, denied('short', 5), denied('long', 7)])!.tier).toBe('long');
    expect(bindingOf([denied('long', 7), { ...denied('never', Infinity), never: true }])!.tier).toBe('never');
    expect(bindingOf([denied('first', 5), denied('second', 5)])!.tier).toBe('first');
  });

  it('is nothing where there is nothing', () => {
    expect(bindingOf([])).toBeUndefined();
  });
});

describe('toDecision without the store', () => {
  it('says that it was decided otherwise, and what by', () => {
    const decision = toDecision([outcome({ tier: 'hour' })], 'local', 'local');

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', source: 'local', degraded: true });
    expect(decision.binding!.tier).toBe('hour');
  });

  it('denies what is too much for this process, as any other denial', () => {
    expect(toDecision([denied('hour', 5)], 'local', 'local')).toMatchObject({
      allowed: false,
      reason: 'denied',
      deniedBy: ['hour'],
      retryAfter: 5,
      degraded: true,
    });
  });

  it('admits without outcomes where it allows', () => {
    const decision = toDecision([], 'none', 'allow');

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none', degraded: true });
    expect(decision).not.toHaveProperty('binding');
  });

  it('is unavailable where it denies', () => {
    expect(toDecision([], 'none', 'deny')).toEqual({ ...unavailable(), retryAfter: expect.any(Number) });
  });

  it('is never, and not unavailable, where a limit of 0 denies whatever the store would say', () => {
    const never = { ...denied('hour', Infinity), never: true };

    expect(toDecision([never], 'none', 'deny')).toMatchObject({ allowed: false, reason: 'never', degraded: true });
    expect(toDecision([{ ...never, shadow: true }], 'none', 'deny').reason).toBe('unavailable');
  });
});

describe('unavailable', () => {
  it('admits nobody and blames no tier', () => {
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

  it('asks to come back in 1 to 5 seconds, and not everybody at the same time', () => {
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
