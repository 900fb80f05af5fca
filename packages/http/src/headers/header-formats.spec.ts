import { createLimiter } from '../../../core/src/limiter/limiter.js';
import type { Decision } from '../../../core/src/model/decision.js';
import { memoryStore } from '../../../core/src/stores/memory/memory-store.js';
import { fakeClock } from '../../../testing/src/clock.js';
import { headerFormats } from './header-formats.js';
import { QuotaReport } from './quota-report.js';

// Every byte of each format is in test/properties/headers/golden.

const NOW = Date.UTC(2030, 0, 1);

describe('headerFormats', () => {
  it.each(Object.entries(headerFormats))('name the headers that %s sets', (_format, format) => {
    const limiter = createLimiter({ key: () => 'ada', limit: 5, window: '1m' });
    const report = QuotaReport.of([{ limiter, decision: limiter.consume({}) as Decision }])!;
    const written: string[] = [];

    format.write({ setHeader: (name) => written.push(name) }, report, NOW);

    expect(written).toEqual(format.names(report).map((name) => name.toLowerCase()));
  });

  it.each([
    [0, '1893456060'],
    [1, '1893456061'],
    [1_000, '1893456061'],
  ])('C34 round the reset of x-ratelimit up to seconds, %d ms after a second', (milliseconds, reset) => {
    const store = memoryStore({ clock: fakeClock(NOW) });
    const tier = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 5, window: '1m' } as const;
    const limiter = createLimiter({ store, tiers: [tier] });
    const report = QuotaReport.of([{ limiter, decision: limiter.consume({}) as Decision }])!;

    expect(resetOf(report, NOW + milliseconds)).toBe(reset);
  });

  it.each([1, 499, 999])(
    'C34 have one reset of x-ratelimit for a fixed window, when a denial is %d ms later',
    (later) => {
      const clock = fakeClock(NOW);
      const tier = { name: 'minute', key: () => 'ada', algorithm: 'fixed-window', limit: 1, window: '1m' } as const;
      const limiter = createLimiter({ store: memoryStore({ clock }), tiers: [tier] });
      const resetAt = (now: number) => {
        const report = QuotaReport.of([{ limiter, decision: limiter.consume({}) as Decision }])!;
        return resetOf(report, now);
      };

      const allowed = resetAt(NOW);
      clock.advance(later);

      expect(resetAt(NOW + later)).toBe(allowed);
    },
  );
});

describe("headerFormats['openai']", () => {
  const tiers = [
    { name: 'day', key: () => 'ada', limit: 100, window: '1d', unit: 'tokens', algorithm: 'fixed-window' },
    { name: 'requests', key: () => 'ada', limit: 3, window: '1m', cost: 1, algorithm: 'token-bucket' },
    { name: 'tokens', key: () => 'ada', limit: 60, window: '1m', unit: 'tokens', algorithm: 'token-bucket' },
    { name: 'watching', key: () => 'ada', limit: 1, window: '1m', unit: 'images', mode: 'shadow' },
  ] as const;
  const scene = () => createLimiter({ store: memoryStore({ clock: fakeClock(NOW) }), tiers });
  const written = (limiter: ReturnType<typeof scene>, cost: number) => {
    const decision = limiter.consume({}, { cost }) as Decision;
    const headers = new Map<string, string>();
    const report = QuotaReport.of([{ limiter, decision }])!;
    headerFormats.openai.write({ setHeader: (name, value) => headers.set(name, value) }, report, NOW);
    return Object.fromEntries(headers);
  };

  it('reports the tier of each unit that has the least left', () => {
    expect(written(scene(), 50)).toEqual({
      'x-ratelimit-limit-tokens': '60',
      'x-ratelimit-remaining-tokens': '10',
      'x-ratelimit-reset-tokens': '50s',
      'x-ratelimit-limit-requests': '3',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '20s',
    });
  });

  it('reports the tier of a unit that denies, also while another unit has more left', () => {
    const limiter = scene();
    written(limiter, 55);

    expect(written(limiter, 10)).toMatchObject({
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '55s',
      'x-ratelimit-remaining-requests': '2',
    });
  });
});

function resetOf(report: QuotaReport, now: number): string | undefined {
  const headers = new Map<string, string>();
  headerFormats['x-ratelimit'].write({ setHeader: (name, value) => headers.set(name, value) }, report, now);
  return headers.get('x-ratelimit-reset');
}
