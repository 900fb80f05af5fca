"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.tokenBucket = exports.REFILL_MAX = exports.BUCKET_MAX = void 0;
exports.defineBucket = defineBucket;
const duration_js_1 = require("../../model/duration.js");
const arrival_time_js_1 = require("./arrival-time.js");
exports.BUCKET_MAX = 9e7;
exports.REFILL_MAX = (0, duration_js_1.parseDuration)('400d');
/**
 * A bucket that holds `burst` units and refills at limit / window, as the generic cell rate algorithm (ITU-T I.371):
 * its state is the time at which it is full again. At most burst + limit x W / window in any W.
 */
exports.tokenBucket = {
    name: 'token-bucket',
    code: 'tb',
    options: ['limit', 'window', 'burst'],
    define(options) {
        return defineBucket(options, 'token-bucket', { name: 'burst', code: 'BURST_INVALID' });
    },
    ahead(stored, now, { tolerance, limit }) {
        return (0, arrival_time_js_1.isLater)(stored, (0, arrival_time_js_1.add)([now, 0], tolerance, limit));
    },
    read(stored, now, { tolerance, limit }) {
        const tat = inParts(stored ?? arrival_time_js_1.ZERO, limit);
        const latest = (0, arrival_time_js_1.add)([now, 0], tolerance, limit);
        return (0, arrival_time_js_1.isLater)(tat, latest) ? latest : tat;
    },
    wait(tat, now, policy, cost) {
        const { tolerance, limit } = policy;
        const wanted = (0, arrival_time_js_1.add)(debt(tat, now), (0, arrival_time_js_1.timeOf)(cost, policy), limit);
        return (0, arrival_time_js_1.isLater)(wanted, tolerance) ? (0, arrival_time_js_1.ceiling)((0, arrival_time_js_1.subtract)(wanted, tolerance, limit)) : 0;
    },
    remaining(tat, now, policy) {
        return (0, arrival_time_js_1.unitsIn)((0, arrival_time_js_1.subtract)(policy.tolerance, debt(tat, now), policy.limit), policy);
    },
    charge(tat, now, policy, cost) {
        const { tolerance, limit } = policy;
        const wanted = (0, arrival_time_js_1.add)(debt(tat, now), (0, arrival_time_js_1.timeOf)(cost, policy), limit);
        return (0, arrival_time_js_1.add)([now, 0], (0, arrival_time_js_1.isLater)(wanted, tolerance) ? tolerance : wanted, limit);
    },
    describe(tat, now, policy) {
        const { capacity, tolerance, limit } = policy;
        const left = (0, arrival_time_js_1.subtract)(tolerance, debt(tat, now), limit);
        const remaining = (0, arrival_time_js_1.unitsIn)(left, policy);
        const next = remaining === capacity ? arrival_time_js_1.ZERO : (0, arrival_time_js_1.subtract)((0, arrival_time_js_1.timeOf)(remaining + 1, policy), left, limit);
        return { limit: capacity, remaining, replenishAfter: (0, arrival_time_js_1.ceiling)(next), resetAfter: (0, arrival_time_js_1.ceiling)(debt(tat, now)), delay: 0 };
    },
    refund(stored, now, policy, charge) {
        const tat = inParts(stored, policy.limit);
        const held = heldOf(charge, now, policy);
        const back = (0, arrival_time_js_1.isLater)(held, debt(tat, now)) ? debt(tat, now) : held;
        // A unit that time has given back in part is given back for the rest.
        return { state: (0, arrival_time_js_1.subtract)(tat, back, policy.limit), given: (0, arrival_time_js_1.unitsBegun)(back, policy) };
    },
    expiresAt(tat) {
        return (0, arrival_time_js_1.ceiling)(tat);
    },
};
/** Policies of buckets, whatever they are called: `size` names the option that says what one holds. */
function defineBucket(options, algorithm, size) {
    const limit = options.integer('LIMIT_INVALID', 'limit', { max: exports.BUCKET_MAX });
    const window = options.duration('window');
    const { besides = 0 } = size;
    const rule = { min: 1 - besides, max: exports.BUCKET_MAX - besides, otherwise: limit };
    const capacity = besides + options.integer(size.code, size.name, rule);
    const interval = { limit, quotient: Math.floor(window / limit), remainder: window % limit, capacity };
    if (capacity * (window / limit) > exports.REFILL_MAX) {
        const most = Math.floor((exports.REFILL_MAX / window) * limit) - besides;
        throw options.fail(size.code, size.name, `must refill within 400 days: at this rate at most ${most} do`);
    }
    return Object.freeze({
        algorithm,
        ...interval,
        quota: capacity,
        window,
        // Rests keep fractions exact, so microseconds always do.
        tick: 1,
        tolerance: (0, arrival_time_js_1.timeOf)(capacity, interval),
        dimensions: `${algorithm} ${window}`,
        numbers: [1, capacity, limit, interval.quotient, interval.remainder],
    });
}
/** A rest that was left under another limit counted other parts. */
function inParts(stored, limit) {
    return stored[1] < limit ? stored : [stored[0] + 1, 0];
}
/** How far the arrival time is ahead: what is spent and not yet refilled. */
function debt(tat, now) {
    return tat[0] < now ? arrival_time_js_1.ZERO : [tat[0] - now, tat[1]];
}
/** What of a charge has not been refilled by time. */
function heldOf({ units, until }, now, policy) {
    const charged = (0, arrival_time_js_1.timeOf)(units, policy);
    const rest = [Math.max(0, until - now), 0];
    return (0, arrival_time_js_1.isLater)(rest, charged) ? charged : rest;
}
//# sourceMappingURL=token-bucket.js.map