import { fakeClock } from '../../../../testing/src/clock.js';
import { processClock, steppingClock } from './process-clock.js';

const HOUR = 3.6e6;

function scene() {
  const [wall, monotonic] = [fakeClock(1e12), fakeClock(5_000)];
  const pass = (milliseconds: number) => {
    wall.advance(milliseconds);
    monotonic.advance(milliseconds);
  };
  return { wall, monotonic, pass, clock: steppingClock(wall, monotonic) };
}

describe('steppingClock', () => {
  it.each([8 * HOUR, -8 * HOUR, 24 * HOUR, 1_001, -1_001])(
    'follows a step of the wall clock by %i ms within a second',
    (step) => {
      const { wall, pass, clock } = scene();
      pass(10.25);
      wall.step(step);
      pass(1_000);

      expect(clock()).toBe(wall());
    },
  );

  it('goes on evenly while the wall clock is slewed', () => {
    const { wall, pass, clock } = scene();
    const start = clock();

    const passed = [400, -700, 500].map((slewed) => {
      wall.step(slewed);
      pass(1_500);
      return clock() - start;
    });

    expect(passed).toEqual([1_500, 3_000, 4_500]);
  });

  it('reads the wall clock once a second', () => {
    let reads = 0;
    const monotonic = fakeClock(0);
    const clock = steppingClock(() => (reads += 1), monotonic);

    for (let tick = 0; tick < 3_000; tick += 1) {
      clock();
      monotonic.advance(1);
    }

    expect(reads).toBe(3);
  });
});

describe('processClock', () => {
  afterEach(() => jest.useRealTimers());

  it('counts microseconds of the system', () => {
    const times = Array.from({ length: 1_000 }, processClock);

    expect(times.some((time) => !Number.isInteger(time))).toBe(true);
    expect(times.every((time, index) => index === 0 || time >= times[index - 1]!)).toBe(true);
    expect(Math.abs(processClock() - Date.now())).toBeLessThan(2_000);
  });

  it('is moved by fake timers that replace the system time later, and by the system again afterwards', () => {
    jest.useFakeTimers({ now: 1e12 });
    const before = processClock();
    jest.advanceTimersByTime(60_000);
    const after = processClock();
    jest.useRealTimers();

    expect([before, after]).toEqual([1e12, 1e12 + 60_000]);
    expect(processClock()).toBeGreaterThan(1.7e12);
  });
});
