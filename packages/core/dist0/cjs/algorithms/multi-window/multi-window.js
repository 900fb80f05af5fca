"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.multiWindow = void 0;
const duration_js_1 = require("../../model/duration.js");
const slots_js_1 = require("../sliding-window/slots.js");
const tick_js_1 = require("../tick.js");
/** Several windows over one ring of slots: a cost fits when it fits them all. Each is a sliding window. */
exports.multiWindow = {
    name: 'multi-window',
    code: 'mw',
    options: ['windows', 'precision'],
    ahead: slots_js_1.isRingAhead,
    read: slots_js_1.readRing,
    refund: slots_js_1.refundRing,
    expiresAt: slots_js_1.ringExpiresAt,
    define(options) {
        const windows = readWindows(options);
        const precision = options.integer('PRECISION_INVALID', 'precision', { max: 250, otherwise: 1 });
        const divisor = windows.map((each) => each.window).reduce(greatestCommonDivisor);
        if (divisor % precision !== 0) {
            throw options.fail('PRECISION_INVALID', 'precision', `must divide ${(0, duration_js_1.formatDuration)(divisor)}, the greatest common divisor of the windows, into whole microseconds`);
        }
        const [longest] = windows;
        const limits = windows.map(({ limit }) => limit);
        const capacity = Math.min(...limits);
        const slotTime = divisor / precision;
        const slots = longest.window / slotTime;
        if (slots > 250) {
            throw options.fail('WINDOW_INVALID', 'windows', `must differ by at most 250 slots, and have ${slots} of ${(0, duration_js_1.formatDuration)(slotTime)}: use a tier for each window`);
        }
        const tick = (0, tick_js_1.tickOf)(slotTime, Math.max(...limits), options, 'windows');
        const slot = slotTime / tick;
        const ring = slots + 1;
        const slotWindows = windows.map((each) => ({ ...each, slots: each.window / slotTime, strict: false }));
        return Object.freeze({
            algorithm: 'multi-window',
            limit: longest.limit,
            quota: longest.limit,
            capacity,
            window: longest.window,
            windows: Object.freeze(slotWindows),
            tick,
            slot,
            ring,
            dimensions: `multi-window ${windows.map(({ window }) => window).join('+')} ${precision}`,
            numbers: [tick, capacity, slot, ring, ...slotWindows.flatMap((each) => [each.limit, each.slots])],
        });
    },
    wait(state, now, policy, cost) {
        let longest = 0;
        for (const window of policy.windows) {
            longest = Math.max(longest, (0, slots_js_1.waitFor)(state, now, policy, window, window.limit - cost));
        }
        return longest;
    },
    remaining(state, now, policy) {
        let least = policy.capacity;
        for (const window of policy.windows) {
            least = Math.min(least, Math.max(0, window.limit - (0, slots_js_1.used)(state, now, policy, window)));
        }
        return least;
    },
    charge(state, now, policy, cost) {
        return (0, slots_js_1.chargeRing)(state, Math.min(cost, this.remaining(state, now, policy)));
    },
    describe(state, now, policy, asked) {
        let limit = 0;
        let remaining = Infinity;
        let replenishAfter = 0;
        for (const window of policy.windows) {
            const left = Math.max(0, window.limit - (0, slots_js_1.used)(state, now, policy, window));
            const wait = left === window.limit ? 0 : (0, slots_js_1.waitFor)(state, now, policy, window, window.limit - left - 1);
            if (left < remaining) {
                limit = window.limit;
                remaining = left;
                replenishAfter = wait;
            }
            else if (left === remaining) {
                // Of windows with equally little left all have to grow before more fits, and a full one never does.
                replenishAfter = wait === 0 || replenishAfter === 0 ? 0 : Math.max(replenishAfter, wait);
            }
        }
        if (asked.retryAfter !== 0)
            limit = denyingWindow(state, now, policy, asked).limit;
        return { limit, remaining, replenishAfter, resetAfter: (0, slots_js_1.emptyAfter)(state, now, policy), delay: 0 };
    },
};
/** The window that a denied request has to wait for: one that can never hold it, else the one that takes longest. */
function denyingWindow(state, now, policy, { cost }) {
    let denying = policy.windows[0];
    let longest = -1;
    for (const window of policy.windows) {
        if (cost > window.limit)
            return window;
        const wait = (0, slots_js_1.waitFor)(state, now, policy, window, window.limit - cost);
        if (wait > longest) {
            denying = window;
            longest = wait;
        }
    }
    return denying;
}
/** Longest first, and each window once. */
function readWindows(options) {
    const given = options.value('windows');
    if (!Array.isArray(given) || given.length < 2) {
        throw options.fail('WINDOW_INVALID', 'windows', 'must be an array of at least two { limit, window }');
    }
    const windows = given.map((_each, index) => {
        const reader = options.inside('windows', index, ['limit', 'window']);
        return { limit: reader.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 }), window: reader.duration('window') };
    });
    windows.sort((one, other) => other.window - one.window);
    const twice = windows.find((each, index) => windows[index + 1]?.window === each.window);
    if (twice)
        throw options.fail('WINDOW_INVALID', 'windows', `must differ, and ${(0, duration_js_1.formatDuration)(twice.window)} is there twice`);
    return windows;
}
function greatestCommonDivisor(one, other) {
    return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
//# sourceMappingURL=multi-window.js.map