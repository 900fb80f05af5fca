/** How often the wall clock is read. */
const LOOK_EVERY_MS = 1_000;
/** By less, the wall clock is only slewed. */
const STEP_MS = 1_000;

/**
 * A clock with fractions of a millisecond that follows the steps of a wall clock within a second: those of a virtual machine that
 * is resumed, of the first NTP answer, or of an operator. It starts no timer. Windows follow too: a step cannot be told from time
 * in which the machine has slept, and clients have waited then.
 *
 * @param wall milliseconds since 1970
 * @param monotonic milliseconds
 */
export function steppingClock(wall: () => number, monotonic: () => number): () => number {
  let lookedAt = monotonic();
  let origin = wall() - lookedAt;
  return () => {
    const passed = monotonic();
    if (passed - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = passed;
      const actual = wall() - passed;
      if (Math.abs(actual - origin) > STEP_MS) origin = actual;
    }
    return origin + passed;
  };
}

const systemNow = Date.now;
const systemClock = steppingClock(() => Date.now(), hrtime);

/** Milliseconds since 1970. A test that replaces `Date`, as fake timers do, moves it too. */
export function processClock(): number {
  return Date.now === systemNow ? systemClock() : Date.now();
}

/** As fast as `performance.now()`, for which Node would load eleven modules more. */
function hrtime(): number {
  // By index, because a pattern calls an iterator until V8 has optimised it.
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}
