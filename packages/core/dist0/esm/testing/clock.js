import { parseDuration } from '../model/duration.js';
import { UsageError } from '../model/errors.js';
/** @param startMilliseconds since 1970. Numbers of milliseconds may have fractions down to a microsecond. */
export function fakeClock(startMilliseconds = Date.UTC(2030, 0, 1)) {
    // Whole microseconds, so that fractions of milliseconds add up to what they are.
    let now = microsecondsOf(startMilliseconds);
    return Object.assign(() => now / 1e3, {
        advance(duration) {
            const passed = microsecondsOf(duration);
            if (passed < 0)
                throw new UsageError('USAGE_INVALID', `advance: time passes forward, got ${duration}; use step`);
            now += passed;
        },
        step(duration) {
            now += microsecondsOf(duration);
        },
        set(milliseconds) {
            now = microsecondsOf(milliseconds);
        },
    });
}
function microsecondsOf(duration) {
    // Rounded, for 0.007 * 1000 is not quite 7.
    const microseconds = typeof duration === 'number' ? Math.round(duration * 1e3) : parseDuration(duration);
    if (microseconds !== undefined && Number.isSafeInteger(microseconds))
        return microseconds;
    throw new UsageError('USAGE_INVALID', `fakeClock: a time must be milliseconds or a text such as '1m', got ${duration}`);
}
//# sourceMappingURL=clock.js.map