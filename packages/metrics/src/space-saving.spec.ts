import * as fc from 'fast-check';
import { SpaceSaving } from './space-saving.js';

const CAPACITY = 8;

/** A few frequent items among many rare ones, in any order. */
const stream = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, { weight: 2, arbitrary: fc.nat(200) }).map(String),
  { maxLength: 400 },
);

function countsOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

describe('SpaceSaving', () => {
  it('has each item above total / capacity, no count too low, and none too high by more than its error', () => {
    fc.assert(
      fc.property(stream, (items) => {
        const sketch = new SpaceSaving(CAPACITY);
        for (const item of items) sketch.count(item);

        const known = new Set(sketch.items());
        expect(sketch.total).toBe(items.length);
        expect(known.size).toBeLessThanOrEqual(CAPACITY);
        for (const [item, exact] of countsOf(items)) {
          const { count, error } = sketch.frequencyOf(item);
          const isKnown = known.has(item);
          expect(count).toBeGreaterThanOrEqual(exact);
          expect(isKnown ? count - error : 0).toBeLessThanOrEqual(exact);
          expect(isKnown || exact <= items.length / CAPACITY).toBe(true);
        }
      }),
    );
  });

  it('keeps a frequent item when each other item comes once', () => {
    const sketch = new SpaceSaving(128);
    for (let each = 0; each < 100_000; each += 1) sketch.count(each % 50 === 0 ? 'frequent' : `rare-${each}`);

    const { count, error } = sketch.frequencyOf('frequent');
    expect(count - error).toBeLessThanOrEqual(2_000);
    expect(count).toBeGreaterThanOrEqual(2_000);
    expect(error).toBeLessThanOrEqual(100_000 / 128);
  });
});
