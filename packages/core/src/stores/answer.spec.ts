import * as fc from 'fast-check';

import { NEVER, type Ruling } from '../model/ruling.js';
import { claim } from '../../../../test/support/claim.js';
import { toAnswer, toReceipt } from './answer.js';

const ruling: Ruling = {
  charged: 2,
  limit: 10,
  remaining: 8,
  retryAfter: 0,
  replenishAfter: 1_001,
  resetAfter: 2_000,
  delay: 1,
};
const one = claim({ tier: 'hour' });
const coarse = claim({ tier: 'month', policy: { limit: 10_000, window: '30d' } });

const outcomeOf = (more: Partial<Ruling>, of = one) =>
  toAnswer([of], [{ ...ruling, ...more }], { source: 'memory', now: 0 }).outcomes[0]!;

describe('toAnswer', () => {
  it('rounds the times of a ruling up to milliseconds', () => {
    expect(outcomeOf({})).toEqual({
      tier: 'hour',
      allowed: true,
      never: false,
      shadow: false,
      limit: 10,
      remaining: 8,
      retryAfter: 0,
      replenishAfter: 2,
      resetAfter: 2,
      delay: 1,
    });
  });

  it('never rounds below the ticks of the policy', () => {
    const { tick } = coarse.policy;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (ticks) => {
        const { resetAfter } = outcomeOf({ resetAfter: ticks }, coarse);

        expect(tick).toBeGreaterThan(1);
        expect(resetAfter * 1_000).toBeGreaterThanOrEqual(ticks * tick);
        expect((resetAfter - 1) * 1_000).toBeLessThan(ticks * tick);
      }),
    );
  });

  it('denies a claim that must wait for a microsecond', () => {
    expect(outcomeOf({ retryAfter: 1 })).toMatchObject({ allowed: false, never: false, retryAfter: 1 });
  });

  it('reports an infinite wait for a claim that never fits', () => {
    expect(outcomeOf({ retryAfter: NEVER })).toMatchObject({ allowed: false, never: true, retryAfter: Infinity });
  });

  it('marks the outcomes of shadow tiers', () => {
    expect(outcomeOf({}, { ...one, shadow: true }).shadow).toBe(true);
  });

  it.each([1, 3])('has an outcome for each of %i claims, and a receipt for each that was charged', (count) => {
    const group = Array.from({ length: count }, (_, index) => claim({ tier: `${index}` }));
    const rulings = group.map((_, index) => ({ ...ruling, charged: index % 2 }));

    const answer = toAnswer(group, rulings, { source: 'redis', now: 5, sentAt: 7 });

    expect(answer.outcomes.map(({ tier }) => tier)).toEqual(group.map(({ tier }) => tier));
    expect(answer.receipts.map(({ tier }) => tier)).toEqual(count === 1 ? [] : ['1']);
    expect(answer).toMatchObject({ source: 'redis', sentAt: 7 });
  });

  it('has no sentAt without a request', () => {
    expect(toAnswer([one], [ruling], { source: 'memory', now: 0 })).not.toHaveProperty('sentAt');
  });
});

describe('toReceipt', () => {
  it('holds the units, and the ticks of the charge and of its end', () => {
    const { key, policy } = coarse;

    const receipt = toReceipt(coarse, ruling, 13 * policy.tick - 1);

    expect(receipt).toEqual({ tier: 'month', key, policy, units: 2, at: 12, until: 2_012 });
  });
});
