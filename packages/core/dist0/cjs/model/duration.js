"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseDuration = parseDuration;
exports.formatDuration = formatDuration;
exports.toSeconds = toSeconds;
exports.toMilliseconds = toMilliseconds;
const MICROSECONDS = { ms: 1e3, s: 1e6, m: 6e7, h: 3.6e9, d: 8.64e10, w: 6.048e11 };
/** The whole microseconds of a duration, or undefined for what is none. */
function parseDuration(duration) {
    if (typeof duration === 'number')
        return parseDuration(`${duration}ms`);
    if (typeof duration !== 'string')
        return undefined;
    const match = /^(\d+)(?:\.(\d+))? ?(ms|s|m|h|d|w)$/.exec(duration);
    if (match === null)
        return undefined;
    const [, units, decimals = '', unit] = match;
    // Doubles make 2.3 h a fraction of a microsecond too short.
    const parts = BigInt(units + decimals) * BigInt(MICROSECONDS[unit]);
    const whole = 10n ** BigInt(decimals.length);
    const microseconds = Number(parts / whole);
    return parts % whole === 0n && Number.isSafeInteger(microseconds) ? microseconds : undefined;
}
/** The shortest text of a duration given in microseconds: `'15m'`, `'1500ms'`. */
function formatDuration(microseconds) {
    const units = Object.entries(MICROSECONDS).toReversed();
    const [unit, size] = units.find(([, each]) => microseconds % each === 0) ?? ['ms', MICROSECONDS.ms];
    return `${microseconds / size}${unit}`;
}
/** Whole seconds of milliseconds, for headers: rounded up as well. */
function toSeconds(milliseconds) {
    return Math.ceil(milliseconds / 1e3);
}
/** Milliseconds for people and timers: rounded up, so that waiting them is always enough. */
function toMilliseconds(microseconds) {
    return Math.ceil(microseconds / 1e3);
}
//# sourceMappingURL=duration.js.map