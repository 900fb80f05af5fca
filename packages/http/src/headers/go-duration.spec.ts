import * as fc from 'fast-check';
import { goDuration } from './go-duration.js';

/** Milliseconds of a text, as clients of OpenAI read it. */
function parsed(text: string): number {
  const units: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  return Math.round(parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0));
}

describe('goDuration', () => {
  it.each([
    [0, '0s'],
    [12, '12ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_001, '1.001s'],
    [7_660, '7.66s'],
    [60_000, '1m0s'],
    [179_560, '2m59.56s'],
    [360_000, '6m0s'],
    [3_600_000, '1h0m0s'],
    [400 * 86_400_000, '9600h0m0s'],
  ])('writes %d ms as OpenAI does: %s', (milliseconds, text) => {
    expect(goDuration(milliseconds)).toBe(text);
  });

  it('loses no millisecond of any time up to 400 days', () => {
    const times = fc.oneof(fc.integer({ min: 0, max: 120_000 }), fc.integer({ min: 0, max: 400 * 86_400_000 }));
    fc.assert(
      fc.property(times, (milliseconds) => {
        const text = goDuration(milliseconds);

        expect(text).toMatch(/^(\d+ms|(\d+h)?(\d+m)?\d+(\.\d{1,3})?s)$/);
        expect(parsed(text)).toBe(milliseconds);
      }),
    );
  });
});
