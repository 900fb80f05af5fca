import type { Decision } from '../../model/decision.js';
import type { Outcome } from '../../model/outcome.js';
import type { Answer } from '../../model/answer.js';
import { bindingOf } from './binding.js';
import { unavailable } from './stock-decisions.js';
import { TieredDecision } from './tiered-decision.js';

describe('TieredDecision', () => {
  it('allows a request that every enforced outcome allows', () => {
    const decision = decide([outcome({ tier: 'day' }), outcome({ tier: 'hour' })], { source: 'memory' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, source: 'memory' });
    expect(decision.degraded).toBe(false);
  });

  it('names the denying tiers in the order of the outcomes', () => {
    const outcomes = [denied('day', 10), outcome({ tier: 'hour' }), denied('minute', 5), denied('second', 7)];

    const decision = decide(outcomes, { source: 'redis' });

    expect(decision).toMatchObject({ allowed: false, reason: 'denied', deniedBy: ['day', 'minute', 'second'] });
    expect(decision.outcomes).toBe(outcomes);
  });

  it('denies with never when a tier can never hold the cost', () => {
    const outcomes = [denied('day', 1e9), { ...denied('hour', Infinity), never: true }, denied('minute', 5)];

    const decision = decide(outcomes, { source: 'redis' });

    expect(decision).toMatchObject({ allowed: false, reason: 'never', retryAfter: Infinity });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.deniedBy).toEqual(['day', 'hour', 'minute']);
  });

  it('ignores shadow outcomes', () => {
    const watching = { ...denied('watching', Infinity), never: true, shadow: true, delay: 50 };

    const decision = decide([watching, outcome({ tier: 'hour', remaining: 9 })], { source: 'redis' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], retryAfter: 0, delay: 0 });
    expect(decision.binding!.tier).toBe('hour');
    expect(decision.outcomes).toContain(watching);
  });

  it.each([
    ['no outcomes', []],
    ['only shadow outcomes', [outcome({ shadow: true })]],
  ])('has no binding when there are %s', (_name, outcomes) => {
    const decision = decide(outcomes, { source: 'none' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', deniedBy: [], delay: 0, source: 'none' });
    expect(decision).not.toHaveProperty('binding');
  });

  it('delays an allowed request by the longest delay, and a denied one not at all', () => {
    const queued = outcome({ tier: 'queue', delay: 250 });

    expect(decide([queued, outcome({ delay: 0 })], { source: 'redis' }).delay).toBe(250);
    expect(decide([queued, denied('hour', 5)], { source: 'redis' }).delay).toBe(0);
  });
});

describe('bindingOf', () => {
  it.each<[string, Outcome[], string | undefined]>([
    [
      'the longest retryAfter among those that deny',
      [left('day', 0), denied('hour', 5), denied('minute', 7)],
      'minute',
    ],
    ['retryAfter, even if never', [denied('long', 7), { ...denied('never', Infinity), never: true }], 'never'],
    [
      'the wait of a rate, although the hint of permits is longer',
      [{ ...denied('running', 1_000), held: true, hint: true }, denied('rate', 10)],
      'rate',
    ],
    [
      'the hint of permits where they alone deny',
      [left('rate', 0), { ...denied('running', 1_000), held: true, hint: true }],
      'running',
    ],
    ['the fewest remaining units', [left('much', 3), left('little', 1), left('some', 2)], 'little'],
    ['order among equal denials', [denied('first', 5), denied('second', 5)], 'first'],
    ['order among equal units', [left('first', 5), left('second', 5)], 'first'],
    ['nothing without outcomes', [], undefined],
  ])('chooses by %s', (_rule, outcomes, tier) => {
    expect(bindingOf(outcomes)?.tier).toBe(tier);
    expect(decide(outcomes, { source: 'redis' }).binding?.tier).toBe(tier);
  });
});

describe('TieredDecision with a fallback', () => {
  it('is degraded', () => {
    const decision = decide([outcome({ tier: 'hour' })], { source: 'local', fallback: 'local' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', source: 'local', degraded: true });
    expect(decision.binding!.tier).toBe('hour');
  });

  it('allows a request without outcomes', () => {
    const decision = decide([], { source: 'none', fallback: 'allow' });

    expect(decision).toMatchObject({ allowed: true, reason: 'ok', outcomes: [], source: 'none', degraded: true });
    expect(decision).not.toHaveProperty('binding');
  });

  it('is unavailable if the fallback is deny', () => {
    expect(decide([], { source: 'none', fallback: 'deny' })).toEqual({
      ...unavailable(),
      retryAfter: expect.any(Number),
    });
  });

  it('is never, not unavailable, if a limit of 0 denies', () => {
    const never = { ...denied('hour', Infinity), never: true };

    expect(decide([never], { source: 'none', fallback: 'deny' })).toMatchObject({
      allowed: false,
      reason: 'never',
      degraded: true,
    });
    expect(decide([{ ...never, shadow: true }], { source: 'none', fallback: 'deny' }).reason).toBe('unavailable');
  });
});

describe('unavailable', () => {
  it('denies without naming a tier', () => {
    const denial = { allowed: false, reason: 'unavailable', deniedBy: [], outcomes: [], delay: 0 };

    expect(unavailable()).toEqual({ ...denial, source: 'none', degraded: true, retryAfter: expect.any(Number) });
  });

  it('has a random retryAfter of 1 to 5 seconds', () => {
    const waits = Array.from({ length: 1_000 }, () => unavailable().retryAfter);

    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(waits.every(Number.isInteger)).toBe(true);
    for (const second of [1, 2, 3, 4]) {
      expect(waits.some((wait) => Math.floor(wait / 1_000) === second)).toBe(true);
    }
  });
});

function decide(outcomes: readonly Outcome[], origin: Omit<Answer, 'outcomes' | 'receipts'>): Decision {
  return new TieredDecision({ outcomes, receipts: [], ...origin });
}

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

function left(tier: string, remaining: number): Outcome {
  return outcome({ tier, remaining });
}

function denied(tier: string, retryAfter: number): Outcome {
  return outcome({ tier, allowed: false, remaining: 3, retryAfter });
}
