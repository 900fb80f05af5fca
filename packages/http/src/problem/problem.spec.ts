import * as fc from 'fast-check';

import { unavailable } from '../../../core/src/limiter/decisions/stock-decisions.js';
import { TieredDecision } from '../../../core/src/limiter/decisions/tiered-decision.js';
import type { Decision } from '../../../core/src/model/decision.js';
import type { Outcome } from '../../../core/src/model/outcome.js';
import { problemOf } from './problem.js';

const outcome: Outcome = {
  tier: 'minute',
  allowed: false,
  never: false,
  shadow: false,
  limit: 5,
  remaining: 0,
  retryAfter: 12_001,
  replenishAfter: 12_001,
  resetAfter: 60_000,
  delay: 0,
};
const denied = decide(outcome);
const never = decide({ ...outcome, never: true, retryAfter: Infinity });

describe('problemOf', () => {
  it.each<[string, Decision, object]>([
    [
      '429 for a denial',
      denied,
      {
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        title: 'Request cannot be satisfied as assigned quota has been exceeded',
        status: 429,
        detail: 'Too many requests. Retry in 13 seconds.',
        'retry-after': 13,
        'violated-policies': ['minute'],
      },
    ],
    [
      '422 for a cost that never fits',
      never,
      {
        type: 'about:blank',
        title: 'Unprocessable Content',
        status: 422,
        detail: 'The request can never fit its limit. Retrying does not help.',
        'violated-policies': ['minute'],
      },
    ],
    [
      '503 for an unavailable store, without policies',
      { ...unavailable(), retryAfter: denied.retryAfter },
      {
        type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
        title: 'Request cannot be satisfied due to temporary server capacity constraints',
        status: 503,
        detail: 'The limits of this service cannot be checked at the moment. Retry in 13 seconds.',
        'retry-after': 13,
      },
    ],
  ])('C26 C32 describes %s', (_case, decision, problem) => {
    expect(problemOf(decision, ['minute'])).toEqual(problem);
  });

  it.each([
    [1, '1 second'],
    [1_001, '2 seconds'],
    [400 * 86_400_000, '34560000 seconds'],
  ])('rounds %d ms to %s, as Retry-After does', (retryAfter, text) => {
    expect(problemOf({ ...denied, retryAfter }, []).detail).toContain(`Retry in ${text}.`);
  });

  it('says when a used-up period starts again, with the wait of all limiters beside it', () => {
    const usedUp = 'The quota of this month is used up. It starts again on 1 December (UTC).';

    const problem = problemOf(denied, ['month'], { retryAfter: 86_400_000, told: { detail: () => usedUp } });

    expect(problem).toMatchObject({ detail: usedUp, 'retry-after': 86_400, 'violated-policies': ['month'] });
    expect(problemOf(denied, ['month']).detail).toBe('Too many requests. Retry in 13 seconds.');
  });

  it('has the members that a feature tells, in seconds, and no wait where no time helps', () => {
    const told = { detail: (wait?: string) => `Come in ${wait}.`, members: { 'fits-after': 5_001 } };

    const problem = problemOf(denied, ['minute'], { told });
    const spent = problemOf(decide({ ...outcome, retryAfter: Infinity }), ['minute'], { told });

    expect(problem).toMatchObject({ detail: 'Come in 13 seconds.', 'retry-after': 13, 'fits-after': 6 });
    expect(JSON.stringify(problem)).toContain('"retry-after":13,"fits-after":6,"violated-policies":["minute"]');
    expect(spent.detail).toBe('Come in undefined.');
    expect('retry-after' in spent).toBe(false);
    expect(problemOf(denied, ['minute']).detail).toBe('Too many requests. Retry in 13 seconds.');
  });

  it('freezes a problem, which functions of an application get', () => {
    const problem = problemOf(denied, ['minute']);

    expect([Object.isFrozen(problem), Object.isFrozen(problem['violated-policies'])]).toEqual([true, true]);
  });

  it('describes each of many decisions', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'a b', 'a,b', 'denied'), { maxLength: 3 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 3_000 }), fc.boolean(), (policies, retryAfter, isNever) => {
        const problem = problemOf(isNever ? never : { ...denied, retryAfter }, policies);

        expect(problem).toMatchObject({ status: isNever ? 422 : 429, 'violated-policies': policies });
        expect(problem['retry-after']).toBe(isNever ? undefined : Math.ceil(retryAfter / 1_000));
        expect(problem.detail).toContain(isNever ? 'Retrying' : `Retry in ${Math.ceil(retryAfter / 1_000)} second`);
      }),
    );
  });
});

function decide(...outcomes: Outcome[]): Decision {
  return new TieredDecision({ outcomes, receipts: [], source: 'memory' });
}
