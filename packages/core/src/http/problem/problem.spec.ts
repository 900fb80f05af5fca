import * as fc from 'fast-check';

import { toDecision, unavailable } from '../../model/decision.js';
import type { Outcome } from '../../model/outcome.js';
import { problemOf as serializedProblemOf } from './problem.js';

const problemOf = (...args: Parameters<typeof serializedProblemOf>) => serializedProblemOf(...args).problem;

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

describe('problemOf', () => {
  it('C26 is 429 and quota-exceeded for what was denied, with the policies that deny', () => {
    expect(problemOf(toDecision([outcome], { source: 'memory' }), ['minute'])).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Request cannot be satisfied as assigned quota has been exceeded',
      status: 429,
      detail: 'Too many requests. Retry in 13 seconds.',
      'violated-policies': ['minute'],
    });
  });

  it('C26 is 422 for what never fits, with the policies and no time to wait', () => {
    const never = { ...outcome, never: true, retryAfter: Infinity };

    expect(problemOf(toDecision([never], { source: 'memory' }), ['minute'])).toEqual({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The request can never fit its limit. Retrying does not help.',
      'violated-policies': ['minute'],
    });
  });

  it('C32 is 503 and temporary-reduced-capacity where the limits cannot be checked, and names no policy', () => {
    expect(problemOf({ ...unavailable(), retryAfter: 2_001 }, [])).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#temporary-reduced-capacity',
      title: 'Request cannot be satisfied due to temporary server capacity constraints',
      status: 503,
      detail: 'The limits of this service cannot be checked at the moment. Retry in 3 seconds.',
    });
  });

  it.each([
    [1, '1 second'],
    [1_000, '1 second'],
    [1_001, '2 seconds'],
    [400 * 86_400_000, '2147483 seconds'],
  ])('says to wait %d ms as Retry-After does: %s', (retryAfter, text) => {
    expect(problemOf(toDecision([{ ...outcome, retryAfter }], { source: 'memory' }), []).detail).toContain(
      `Retry in ${text}.`,
    );
  });

  it('is one object for all who are told the same, which nobody can change', () => {
    const decision = toDecision([outcome], { source: 'memory' });

    const problem = problemOf(decision, ['minute']);

    expect(problemOf(decision, ['minute'])).toBe(problem);
    expect(Object.isFrozen(problem) && Object.isFrozen(problem['violated-policies'])).toBe(true);
  });

  it('says that the limits cannot be checked right after a denial that is as long', () => {
    const denied = toDecision([outcome], { source: 'memory' });
    const { status } = problemOf(denied, []);

    expect(status).toBe(429);
    expect(problemOf({ ...unavailable(), retryAfter: denied.retryAfter }, []).status).toBe(503);
  });

  it('says what this decision is about, whatever was said before', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'a b', 'a,b', 'denied'), { maxLength: 3 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 3_000 }), fc.boolean(), (violated, retryAfter, never) => {
        const decision = toDecision([{ ...outcome, never, retryAfter: never ? Infinity : retryAfter }], {
          source: 'memory',
        });
        const problem = problemOf(decision, violated);

        expect(problem.status).toBe(never ? 422 : 429);
        expect(problem['violated-policies']).toEqual(violated);
        expect(problem.detail).toContain(
          never ? 'Retrying does not help' : `Retry in ${Math.ceil(retryAfter / 1_000)} second`,
        );
      }),
    );
  });
});
