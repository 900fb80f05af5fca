"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.toOutcome = toOutcome;
const duration_js_1 = require("./duration.js");
const ruling_js_1 = require("./ruling.js");
/** Says in public units what an algorithm ruled. */
function toOutcome(claim, ruling) {
    const { tick } = claim.policy;
    const never = ruling.retryAfter === ruling_js_1.NEVER;
    return {
        tier: claim.tier,
        allowed: ruling.retryAfter === 0,
        never,
        shadow: claim.shadow,
        limit: ruling.limit,
        remaining: ruling.remaining,
        retryAfter: never ? Infinity : (0, duration_js_1.toMilliseconds)(ruling.retryAfter * tick),
        replenishAfter: (0, duration_js_1.toMilliseconds)(ruling.replenishAfter * tick),
        resetAfter: (0, duration_js_1.toMilliseconds)(ruling.resetAfter * tick),
        delay: (0, duration_js_1.toMilliseconds)(ruling.delay * tick),
    };
}
//# sourceMappingURL=outcome.js.map