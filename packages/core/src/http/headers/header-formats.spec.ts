import { createLimiter } from '../../limiter/limiter.js';
import type { Tier } from '../../limiter/tiers/tier.js';
import type { Decision } from '../../model/decision.js';
import { memoryStore } from '../../stores/memory/memory-store.js';
import { fakeClock } from '../../testing/clock.js';
import { headerFormats, type HeaderFormat } from './header-formats.js';
import { QuotaReport } from './quota-report.js';

// The headers of every algorithm are in test/properties/headers/golden.

const NOW = Date.UTC(2030, 0, 1);
const minute: Tier<unknown> = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' };
const hour: Tier<unknown> = { name: 'hour', key: () => 'ada', algorithm: 'fixed-window', limit: 50, window: '1h' };

describe('headerFormats', () => {
  it.each<[HeaderFormat, Record<string, string>]>([
    ['x-ratelimit', { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '4', 'X-RateLimit-Reset': '1893456060' }],
    [
      'draft-11',
      {
        'RateLimit-Policy': '"hour";q=50;w=3600, "minute";q=5;w=60',
        RateLimit: '"hour";r=49;t=3600, "minute";r=4;t=60',
      },
    ],
    ['draft-7', { 'RateLimit-Policy': '5;w=60', RateLimit: 'limit=5, remaining=4, reset=60' }],
    [
      'draft-6',
      { 'RateLimit-Policy': '5;w=60', 'RateLimit-Limit': '5', 'RateLimit-Remaining': '4', 'RateLimit-Reset': '60' },
    ],
  ])('C38 report two tiers as %s', (format, headers) => {
    expect(Object.fromEntries(headerFormats[format](reportOf(1), NOW))).toEqual(headers);
  });

  it.each([
    [1, '1893456061'],
    [1_000, '1893456061'],
  ])('C34 round the reset of x-ratelimit up to seconds, %d ms after a second', (milliseconds, reset) => {
    const headers = Object.fromEntries(headerFormats['x-ratelimit'](reportOf(1), NOW + milliseconds));

    expect(headers).toMatchObject({ 'X-RateLimit-Reset': reset });
  });

  it('leave the window out of draft-11 where waiting does not help', () => {
    const headers = Object.fromEntries(headerFormats['draft-11'](reportOf(6), NOW));

    expect(headers).toMatchObject({ RateLimit: '"hour";r=50;t=3600, "minute";r=0' });
  });
});

/** The report of a request with this cost, which begins its windows. */
function reportOf(cost: number): QuotaReport {
  const limiter = createLimiter({ store: memoryStore({ clock: fakeClock(NOW) }), tiers: [minute, hour] });
  return QuotaReport.of([{ limiter, decision: limiter.consume({}, { cost }) as Decision }])!;
}
