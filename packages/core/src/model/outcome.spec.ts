import * as fc from 'fast-check';

import { definePolicy } from '../algorithms/policy-options.js';
import type { Claim } from './claim.js';
import { toOutcome } from './outcome.js';
import { toReceipt } from './receipt.js';
import { NEVER, type Ruling } from './ruling.js';

const ruling: Ruling = {
  charged: 2,
  limit: 10,
  remaining: 8,
  retryAfter: 0,
  replenishAfter: 1_001,
  resetAfter: 2_000,
  delay: 1,
};

describe('toOutcome', () => {
  it('says a ruling in milliseconds, rounded up', () => {
    expect(toOutcome(claim(), ruling)).toEqual({
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

  it('is allowed when there is nothing to wait for, even where a microsecond is', () => {
    expect(toOutcome(claim(), { ...ruling, retryAfter: 1 })).toMatchObject({
      allowed: false,
      never: false,
      retryAfter: 1,
    });
  });

  it('waits for ever when the cost never fits', () => {
    expect(toOutcome(claim(), { ...ruling, retryAfter: NEVER })).toMatchObject({
      allowed: false,
      never: true,
      retryAfter: Infinity,
    });
  });

  it('says of a shadow tier that it is one', () => {
    expect(toOutcome({ ...claim(), shadow: true }, ruling).shadow).toBe(true);
  });

  it('never says less than the ticks of the policy are', () => {
    const coarse = claim({ limit: 10_000, window: '30d' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (ticks) => {
        const { resetAfter } = toOutcome(coarse, { ...ruling, resetAfter: ticks });

        expect(coarse.policy.tick).toBeGreaterThan(1);
        expect(resetAfter * 1_000).toBeGreaterThanOrEqual(ticks * coarse.policy.tick);
        expect((resetAfter - 1) * 1_000).toBeLessThan(ticks * coarse.policy.tick);
      }),
    );
  });
});

describe('toReceipt', () => {
  it('holds what was charged, when, and until when it counts, in ticks of the policy', () => {
    const coarse = claim({ limit: 10_000, window: '30d' });
    const { tick } = coarse.policy;

    const receipt = toReceipt(coarse, ruling, 12 * tick + tick - 1);

    expect(receipt).toEqual({ tier: 'hour', key: coarse.key, policy: coarse.policy, units: 2, at: 12, until: 2_012 });
  });
});

function claim(policy: { limit: number; window: '1h' | '30d' } = { limit: 10, window: '1h' }): Claim {
  return {
    tier: 'hour',
    key: 'rl:{somebody}:hour:sw000',
    policy: definePolicy(policy),
    cost: 2,
    shadow: false,
    countDenied: false,
    record: undefined,
  };
}
