"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.slidingWindow = void 0;
const duration_js_1 = require("../../model/duration.js");
const tick_js_1 = require("../tick.js");
const slots_js_1 = require("./slots.js");
/**
 * Counts in slots and weighs the oldest by what of it the window still covers. At most the limit in any window of
 * (1 - 1/m) times its length and less than twice the limit in any window; strict: at most the limit in any window.
 */
exports.slidingWindow = {
    name: 'sliding-window',
    code: 'sw',
    options: ['limit', 'window', 'precision', 'strict'],
    ahead: slots_js_1.isRingAhead,
    read: slots_js_1.readRing,
    refund: slots_js_1.refundRing,
    expiresAt: slots_js_1.ringExpiresAt,
    define(options) {
        const limit = options.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 });
        const window = options.duration('window');
        const strict = options.flag('strict');
        const slots = options.integer('PRECISION_INVALID', 'precision', { max: 250, otherwise: strict ? 50 : 1 });
        if (window % slots !== 0)
            throw indivisible(options, window, slots);
        const tick = (0, tick_js_1.tickOf)(window / slots, limit, options, 'window');
        const slot = window / slots / tick;
        return Object.freeze({
            algorithm: 'sliding-window',
            limit,
            quota: limit,
            capacity: limit,
            window,
            tick,
            slot,
            slots,
            ring: slots + 1,
            strict,
            dimensions: `sliding-window ${window} ${slots}${strict ? ' strict' : ''}`,
            numbers: [tick, limit, limit, slot, slots, strict ? 1 : 0],
        });
    },
    wait(state, now, policy, cost) {
        return (0, slots_js_1.waitFor)(state, now, policy, policy, policy.limit - cost);
    },
    remaining(state, now, policy) {
        return Math.max(0, policy.limit - (0, slots_js_1.used)(state, now, policy, policy));
    },
    charge(state, now, policy, cost) {
        return (0, slots_js_1.chargeRing)(state, Math.min(cost, this.remaining(state, now, policy)));
    },
    describe(state, now, policy) {
        const { limit } = policy;
        const remaining = this.remaining(state, now, policy);
        const replenishAfter = remaining === limit ? 0 : (0, slots_js_1.waitFor)(state, now, policy, policy, limit - remaining - 1);
        return { limit, remaining, replenishAfter, resetAfter: (0, slots_js_1.emptyAfter)(state, now, policy), delay: 0 };
    },
};
function indivisible(options, window, slots) {
    const divisors = Array.from({ length: 250 }, (_, index) => index + 1).filter((each) => window % each === 0);
    const below = divisors.filter((each) => each < slots).at(-1);
    const above = divisors.find((each) => each > slots);
    const nearest = [below, above].filter((each) => each !== undefined).join(' and ');
    return options.fail('PRECISION_INVALID', options.has('precision') ? 'precision' : 'window', `must let ${slots} slots divide a window of ${(0, duration_js_1.formatDuration)(window)} into whole microseconds: the nearest precisions that do are ${nearest}`);
}
//# sourceMappingURL=sliding-window.js.map