import { type Duration, parseDuration, UsageError } from '@sluice/core/internal';

/** A clock that only a test moves. Numbers of milliseconds may have fractions down to a microsecond. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  (): number;
  /** Moves the clock forward. */
  advance(duration: Duration): void;
  /** Moves the clock forward, or back by a negative number of milliseconds, as an operator or a failover does. */
  step(duration: Duration): void;
  /** @param milliseconds since 1970 */
  set(milliseconds: number): void;
}

/**
 * Creates a clock for a memory store.
 *
 * @example
 * const clock = fakeClock();
 * const store = memoryStore({ clock });
 * clock.advance('1m');
 *
 * @param startMilliseconds since 1970
 */
export function fakeClock(startMilliseconds = Date.UTC(2030, 0, 1)): FakeClock {
  // Whole microseconds, so that sums of fractions are exact.
  let now = microsecondsOf(startMilliseconds);
  return Object.assign(() => now / 1e3, {
    advance(duration: Duration) {
      const passed = microsecondsOf(duration);
      if (passed < 0) throw new UsageError('USAGE_INVALID', `advance: time moves forward, got ${duration}; use step`);
      now += passed;
    },
    step(duration: Duration) {
      now += microsecondsOf(duration);
    },
    set(milliseconds: number) {
      now = microsecondsOf(milliseconds);
    },
  });
}

function microsecondsOf(duration: Duration): number {
  // Rounded, because 0.007 * 1000 is not quite 7.
  const microseconds = typeof duration === 'number' ? Math.round(duration * 1e3) : parseDuration(duration);
  if (microseconds !== undefined && Number.isSafeInteger(microseconds)) return microseconds;
  throw new UsageError(
    'USAGE_INVALID',
    `fakeClock: a time must be milliseconds or a string such as '1m', got ${duration}`,
  );
}
