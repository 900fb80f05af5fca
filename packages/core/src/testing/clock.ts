import { parseDuration, type Duration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';

/** A clock that stands still until it is told otherwise: `memoryStore({ clock: fakeClock() })`. */
export interface FakeClock {
  /** Milliseconds since 1970, with fractions down to a microsecond. */
  (): number;
  /** Lets time pass. */
  advance(duration: Duration): void;
  /** Sets the clock forward, or back by a negative number of milliseconds, as an operator or a failover does. */
  step(duration: Duration): void;
  /** @param milliseconds since 1970 */
  set(milliseconds: number): void;
}

/** @param startMilliseconds since 1970. Numbers of milliseconds may have fractions down to a microsecond. */
export function fakeClock(startMilliseconds = Date.UTC(2030, 0, 1)): FakeClock {
  // Whole microseconds, so that fractions of milliseconds add up to what they are.
  let now = microsecondsOf(startMilliseconds);
  return Object.assign(() => now / 1e3, {
    advance(duration: Duration) {
      const passed = microsecondsOf(duration);
      if (passed < 0) throw new UsageError('USAGE_INVALID', `advance: time passes forward, got ${duration}; use step`);
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
  // Rounded, for 0.007 * 1000 is not quite 7.
  const microseconds = typeof duration === 'number' ? Math.round(duration * 1e3) : parseDuration(duration);
  if (microseconds !== undefined && Number.isSafeInteger(microseconds)) return microseconds;
  throw new UsageError(
    'USAGE_INVALID',
    `fakeClock: a time must be milliseconds or a text such as '1m', got ${duration}`,
  );
}
