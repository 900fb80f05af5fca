"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ZERO = void 0;
exports.timeOf = timeOf;
exports.add = add;
exports.subtract = subtract;
exports.isLater = isLater;
exports.ceiling = ceiling;
exports.unitsIn = unitsIn;
exports.unitsBegun = unitsBegun;
exports.ZERO = [0, 0];
/** The time that `units` take at this rate. */
function timeOf(units, { limit, quotient, remainder }) {
    const parts = units * remainder;
    const whole = Math.floor(parts / limit);
    // Exact, as all of it is below 2^53; `%` of doubles takes longer than the rest of a decision.
    return [units * quotient + whole, parts - whole * limit];
}
function add(one, other, limit) {
    const rest = one[1] + other[1];
    return rest >= limit ? [one[0] + other[0] + 1, rest - limit] : [one[0] + other[0], rest];
}
function subtract(one, other, limit) {
    const rest = one[1] - other[1];
    return rest < 0 ? [one[0] - other[0] - 1, rest + limit] : [one[0] - other[0], rest];
}
function isLater(one, other) {
    return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1]);
}
/** Whole ticks that cover a time. */
function ceiling([ticks, rest]) {
    return rest > 0 ? ticks + 1 : ticks;
}
/** The whole units that fit a time: an estimate in doubles, put right by exact comparison. */
function unitsIn(time, interval) {
    const { limit, quotient, remainder, capacity } = interval;
    let units = Math.min(capacity, Math.floor((time[0] + time[1] / limit) / (quotient + remainder / limit)));
    while (units > 0 && isLater(timeOf(units, interval), time))
        units -= 1;
    while (units < capacity && !isLater(timeOf(units + 1, interval), time))
        units += 1;
    return units;
}
/** The units that a time is part of: those that fit it, and the one that it has begun. */
function unitsBegun(time, interval) {
    const units = unitsIn(time, interval);
    return isLater(time, timeOf(units, interval)) ? units + 1 : units;
}
//# sourceMappingURL=arrival-time.js.map