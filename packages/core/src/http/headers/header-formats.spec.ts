import { createLimiter } from '../../limiter/limiter.js';
import type { Tier } from '../../limiter/tiers/tier.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../testing/clock.js';
import type { LimiterDecision } from './reported-tiers.js';
import { headerFormats, type HeaderFormat } from './header-formats.js';
import { QuotaReport } from './quota-report.js';

// What every algorithm is told by is in test/properties/headers/golden.

const NOW = Date.UTC(2030, 0, 1);
const minute: Tier<unknown> = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' };
const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 50, window: '1h' };

describe('a dialect', () => {
  it.each<[HeaderFormat, [string, string][]]>([
    [
      'x-ratelimit',
      [
        ['X-RateLimit-Limit', '5'],
        ['X-RateLimit-Remaining', '4'],
        ['X-RateLimit-Reset', '1893456060'],
      ],
    ],
    [
      'draft-11',
      [
        ['RateLimit-Policy', '"hour";q=50;w=3600, "minute";q=5;w=60'],
        ['RateLimit', '"hour";r=49;t=3600, "minute";r=4;t=60'],
      ],
    ],
    [
      'draft-7',
      [
        ['RateLimit-Policy', '5;w=60'],
        ['RateLimit', 'limit=5, remaining=4, reset=60'],
      ],
    ],
    [
      'draft-6',
      [
        ['RateLimit-Policy', '5;w=60'],
        ['RateLimit-Limit', '5'],
        ['RateLimit-Remaining', '4'],
        ['RateLimit-Reset', '60'],
      ],
    ],
  ])('C38 %s tells two tiers in its own way', (name, fields) => {
    expect(headerFormats[name](standing(), NOW)).toEqual(fields);
  });

  it.each([
    [0, '1893456060'],
    [1, '1893456061'],
    [999, '1893456061'],
    [1_000, '1893456061'],
  ])('C34 x-ratelimit tells a moment in seconds, rounded up, %d ms into one', (milliseconds, reset) => {
    const fields = Object.fromEntries(headerFormats['x-ratelimit'](standing(), NOW + milliseconds));

    expect(fields).toMatchObject({ 'X-RateLimit-Reset': reset });
  });

  it('draft-11 leaves the time out where waiting does not help', () => {
    const fields = Object.fromEntries(headerFormats['draft-11'](standing(6), NOW));

    expect(fields).toMatchObject({ RateLimit: '"hour";r=50;t=3600, "minute";r=0' });
  });
});

/** Where a request of this cost stands, right after it has begun its windows. */
function standing(cost = 1): QuotaReport {
  const limiter = createLimiter({ store: memoryStore({ clock: fakeClock(NOW) }), tiers: [minute, hour] });
  const decision = limiter.consume({}, { cost }) as LimiterDecision['decision'];
  return QuotaReport.of([{ limiter, decision }])!;
}
