"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.isRingAhead = isRingAhead;
exports.readRing = readRing;
exports.used = used;
exports.waitFor = waitFor;
exports.chargeRing = chargeRing;
exports.refundRing = refundRing;
exports.ringExpiresAt = ringExpiresAt;
exports.emptyAfter = emptyAfter;
/** True for a ring whose newest slot has not begun. */
function isRingAhead(stored, now, { slot }) {
    return stored[0] > Math.floor(now / slot);
}
function readRing(stored, now, { slot, ring }) {
    const newest = Math.floor(now / slot);
    const shift = stored === undefined ? ring : Math.max(0, newest - stored[0]);
    if (shift === 0 && stored[0] === newest)
        return stored;
    const counts = new Array(ring + 1).fill(0);
    counts[0] = newest;
    for (let index = 1; index + shift <= ring; index += 1)
        counts[index + shift] = stored[index];
    return counts;
}
/** Units that count against a window at `now`. */
function used(state, now, { slot }, { limit, slots, strict }) {
    const elapsed = now - state[0] * slot;
    const full = fullSlots(state, limit, slots);
    const oldest = Math.min(state[slots + 1], limit);
    return full + (strict ? oldest : Math.floor((oldest * (slot - elapsed) + slot - 1) / slot));
}
/** Ticks until at most `need` units count against a window, when none is added. */
function waitFor(state, now, { slot }, window, need) {
    const { limit, slots, strict } = window;
    const elapsed = now - state[0] * slot;
    let full = fullSlots(state, limit, slots);
    let oldest = Math.min(state[slots + 1], limit);
    let turns = 0;
    while (turns <= slots && full + (strict ? oldest : 0) > need) {
        oldest = turns < slots ? Math.min(state[slots - turns], limit) : 0;
        full -= oldest;
        turns += 1;
    }
    const partial = strict || oldest === 0 ? 0 : slot - Math.floor(((need - full) * slot) / oldest);
    return Math.max(0, turns * slot + Math.max(partial, turns === 0 ? elapsed : 0) - elapsed);
}
function chargeRing(state, units) {
    const counts = [...state];
    counts[1] += units;
    return counts;
}
/** Gives units back to the slot they were charged in, while it is still held. */
function refundRing(stored, now, slots, { units, at }) {
    const state = readRing(stored, now, slots);
    const index = state[0] - Math.floor(at / slots.slot) + 1;
    if (index < 1 || index > slots.ring)
        return { state, given: 0 };
    const given = Math.min(units, state[index]);
    const counts = [...state];
    counts[index] -= given;
    return { state: counts, given };
}
/** When the last slot has left the longest window. */
function ringExpiresAt(state, { slot, ring }) {
    return (state[0] + ring) * slot;
}
/** Ticks until every slot that holds units has left the longest window. */
function emptyAfter(state, now, { slot, ring }) {
    for (let index = 1; index <= ring; index += 1) {
        if (state[index] > 0)
            return (state[0] - index + 1 + ring) * slot - now;
    }
    return 0;
}
function fullSlots(state, limit, slots) {
    let sum = 0;
    // What was charged under a larger limit counts as this limit at most.
    for (let index = 1; index <= slots; index += 1)
        sum += Math.min(state[index], limit);
    return sum;
}
//# sourceMappingURL=slots.js.map