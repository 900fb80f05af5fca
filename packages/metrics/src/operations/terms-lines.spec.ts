import { definePolicy, type PolicyOptions } from '../../../core/src/algorithms/named/policy-options.js';
import type { Override } from '../../../core/src/model/override.js';
import type { Inspection, Terms } from '../../../core/src/model/inspection.js';
import { termsLines } from './terms-lines.js';
import { balance, notices } from '../../../quotas/src/index.js';

const readAt = Date.UTC(2026, 10, 22, 14, 3, 6);

function linesOf(options: PolicyOptions, terms: Terms | undefined, limit = 1): readonly string[] {
  const outcome = { limit };
  return termsLines({ terms, policy: definePolicy(options), readAt, outcome } as Inspection);
}

const slots = { window: 60_000, slots: 1, limit: 100, oldest: 20, share: 0.9, newer: 2, retryAfter: 0 };

describe('termsLines', () => {
  it.each<[string, PolicyOptions, Terms | undefined, readonly string[]]>([
    [
      'a fixed window',
      { algorithm: 'fixed-window', limit: 10, window: '1m' },
      { form: 'window', units: 5, endsAt: readAt + 3_000 },
      ['fixed window: 5 units, it ends at 14:03:09.000 UTC'],
    ],
    [
      'a window with notices',
      { algorithm: 'fixed-window', limit: 10, window: '1m', notices: notices(0.5, 0.925) },
      {
        form: 'window',
        units: 5,
        endsAt: readAt + 3_000,
        notices: [
          { mark: 0.5, isReported: true },
          { mark: 0.925, isReported: false },
        ],
      },
      ['fixed window: 5 units, it ends at 14:03:09.000 UTC', 'notices: 50 % given, 92.5 % to come'],
    ],
    [
      'a period',
      { algorithm: 'fixed-window', limit: 10, period: 'month' },
      { form: 'window', units: 5, endsAt: Date.UTC(2026, 11, 1) },
      ['calendar month: 5 units, it ends at 2026-12-01 00:00:00.000 UTC'],
    ],
    [
      'an unused window',
      { algorithm: 'fixed-window', limit: 10, window: '1m' },
      { form: 'window', units: 0, endsAt: undefined },
      ['fixed window: 0 units'],
    ],
    [
      'a log',
      { limit: 5, window: '1m' },
      { form: 'log', units: 5, oldestLeavesAt: readAt + 12_250 },
      ['log: 5 units in the last 1m, the oldest leaves in 12.3 s'],
    ],
    [
      'an overdrawn bucket',
      { algorithm: 'token-bucket', limit: 10, window: '1m', overdraft: 20 },
      { form: 'bucket', tokens: -4.5, capacity: 10, interval: 6_000, queued: false },
      ['bucket: -4.5 of 10 tokens, one each 6.0 s'],
    ],
    [
      'two counters',
      { limit: 100, window: '1m' },
      { form: 'slots', windows: [slots] },
      ['sliding window: 20 of the 1m before × 0.90 + 2 of this one'],
    ],
    [
      'a ring of slots',
      { limit: 100, window: '1m', precision: 10 },
      { form: 'slots', windows: [{ ...slots, slots: 10 }] },
      ['sliding window: 20 in the oldest of 11 slots × 0.90 + 2 in the others'],
    ],
    [
      'several windows',
      {
        algorithm: 'multi-window',
        windows: [
          { limit: 100, window: '1m' },
          { limit: 500, window: '1h' },
        ],
      },
      {
        form: 'slots',
        windows: [
          { ...slots, limit: 500, window: 3_600_000, slots: 60 },
          { ...slots, retryAfter: 2_000 },
        ],
      },
      [
        '500 in 1h: 20 in the oldest of 61 slots × 0.90 + 2 in the others; fits',
        '100 in 1m: 20 of the 1m before × 0.90 + 2 of this one; fits in 2.0 s',
      ],
    ],
    [
      'a bucket',
      { algorithm: 'token-bucket', limit: 10, window: '1s' },
      { form: 'bucket', tokens: 0.49, capacity: 10, interval: 100, queued: false },
      ['bucket: 0.4 of 10 tokens, one each 100 ms'],
    ],
    ['a balance', { algorithm: balance() }, { form: 'balance', left: 480 }, ['balance: 480 units left']],
    [
      'a balance that covers tiers',
      { algorithm: balance({ covers: ['month', 'day'] }) },
      { form: 'balance', left: 0 },
      ['balance: 0 units left, to pay for month, day'],
    ],
    [
      'a queue',
      { algorithm: 'leaky-bucket', limit: 10, window: '1s', queue: 4 },
      { form: 'bucket', tokens: 3, capacity: 5, interval: 100, queued: true },
      ['queue: 3 of 5 places free, a turn each 100 ms'],
    ],
  ])('describes %s', (_what, options, terms, expected) => {
    expect(linesOf(options, terms)).toEqual(expected);
  });

  it.each<[Partial<Override>, string]>([
    [{ limit: 50, until: readAt + 3_000 }, 'override, until 14:03:09.000 UTC: limit 50 (ticket 4711)'],
    [{ limit: null }, 'override, until it is removed: the tier does not apply (ticket 4711)'],
  ])('says first which override decides: %j', (override, line) => {
    const policy = definePolicy({ algorithm: 'fixed-window', limit: 10, window: '1m' });
    const terms = { form: 'window', units: 0, endsAt: undefined };
    const inspection = { terms, policy, readAt, outcome: {}, override: { ...override, reason: 'ticket 4711' } };

    expect(termsLines(inspection as unknown as Inspection)).toEqual([line, 'fixed window: 0 units']);
  });

  it('says why there is no state', () => {
    const options: PolicyOptions = { limit: 1, window: '1s' };

    expect(linesOf(options, undefined, 0)).toEqual(['limit 0: no request fits']);
    expect(linesOf(options, undefined)).toEqual(['the store shows no states']);
  });
});
