import * as fc from 'fast-check';
import { LinePause } from './line-pause.js';

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

describe('LinePause', () => {
  it('ends at most 5 ms after the age from which other processes leave the line a unit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { maxLength: 100 }), (delays) => {
        const pause = new LinePause();
        for (let age = 0, attempt = 0; age < 250; attempt += 1) {
          const next = pause.next();
          age += next;
          expect(age).toBeLessThanOrEqual(255);
          // A timer is late, and so is the answer.
          const late = delays[attempt] ?? 0;
          age += late;
          jest.advanceTimersByTime(next + late);
        }
      }),
    );
  });

  it('is short at first, and grows to a fiftieth of the wait', () => {
    const pause = new LinePause();
    const first = pause.next();
    jest.advanceTimersByTime(10_000);
    let latest = 0;
    for (let attempt = 0; attempt < 10; attempt += 1) latest = pause.next();

    expect(first).toBeLessThanOrEqual(5);
    expect(latest).toBeGreaterThanOrEqual(100);
    expect(latest).toBeLessThanOrEqual(200);
  });
});
