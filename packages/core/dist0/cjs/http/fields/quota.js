"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.quotasOf = quotasOf;
exports.bindingQuota = bindingQuota;
const duration_js_1 = require("../../model/duration.js");
const NAME_MAX = 64;
/** One quota for each window of a policy, longest first. */
function quotasOf(label, policy, limit) {
    return (policy.windows ?? [whole(policy, limit)]).map((window) => quota(label, policy, window));
}
/** The quota that a limit which was shown belongs to. */
function bindingQuota(label, policy, limit) {
    // Of windows with equal limits the longest has the least left.
    return quota(label, policy, policy.windows?.find((each) => each.limit === limit) ?? whole(policy, limit));
}
/** A bucket tells what it holds, and the time in which so much flows in. */
function whole(policy, limit) {
    // In a limit of 0 nothing flows; the window is all there is to tell.
    return { limit, window: limit === 0 ? policy.window : refillTime(policy) };
}
/** Microseconds, rounded up. In parts, for the product of a quota and a window is more than a double holds. */
function refillTime({ quota: units, limit: rate, window }) {
    if (units === rate)
        return window;
    return units * Math.floor(window / rate) + Math.ceil((units * (window % rate)) / rate);
}
function quota({ tier, number }, { windows }, { limit, window }) {
    const suffix = `${number > 1 ? `-${number}` : ''}${windows ? `/${(0, duration_js_1.formatDuration)(window)}` : ''}`;
    return {
        name: `${tier.slice(0, NAME_MAX - suffix.length)}${suffix}`,
        units: limit,
        window: Math.ceil(window / 1e6),
    };
}
//# sourceMappingURL=quota.js.map