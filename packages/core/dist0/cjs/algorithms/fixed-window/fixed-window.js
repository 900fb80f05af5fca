"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.fixedWindow = void 0;
/** Counts the units of a window and forgets them when it ends. At most the limit in its window, 2 x limit in any. */
exports.fixedWindow = {
    name: 'fixed-window',
    code: 'fw',
    options: ['limit', 'window', 'anchor'],
    define(options) {
        const limit = options.integer('LIMIT_INVALID', 'limit', { max: 2 ** 32 - 1 });
        const window = options.duration('window');
        const anchor = options.choice('anchor', ['first', 'clock'], 'first');
        return Object.freeze({
            algorithm: 'fixed-window',
            anchor,
            limit,
            quota: limit,
            capacity: limit,
            window,
            // Nothing is multiplied here, so microseconds always fit.
            tick: 1,
            dimensions: `fixed-window ${window} ${anchor}`,
            numbers: [1, limit, limit, window, anchor === 'first' ? 0 : 1],
        });
    },
    ahead([, ends], now, policy) {
        return ends > latestEnd(now, policy);
    },
    read(stored, now, policy) {
        const latest = latestEnd(now, policy);
        if (stored === undefined || stored[1] <= now)
            return [0, latest];
        return [stored[0], Math.min(stored[1], latest)];
    },
    wait([count, ends], now, { limit }, cost) {
        return Math.min(count, limit) + cost <= limit ? 0 : ends - now;
    },
    remaining([count], _now, { limit }) {
        return Math.max(0, limit - count);
    },
    charge([count, ends], _now, { limit }, cost) {
        return [count + Math.min(cost, Math.max(0, limit - count)), ends];
    },
    describe([count, ends], now, { limit }) {
        const left = count === 0 ? 0 : ends - now;
        return { limit, remaining: Math.max(0, limit - count), replenishAfter: left, resetAfter: left, delay: 0 };
    },
    refund(stored, now, policy, { units, until }) {
        const [count, ends] = this.read(stored, now, policy);
        const given = ends === until ? Math.min(units, count) : 0;
        return { state: [count - given, ends], given };
    },
    expiresAt([, ends]) {
        return ends;
    },
};
/** Where a window that holds `now` ends at the latest. Redis dates a first window by its TTL, in milliseconds. */
function latestEnd(now, { anchor, window }) {
    if (anchor === 'first')
        return Math.ceil((now + window) / 1e3) * 1e3;
    return (Math.floor(now / window) + 1) * window;
}
//# sourceMappingURL=fixed-window.js.map