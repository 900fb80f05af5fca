"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.refund = refund;
exports.settle = settle;
const charged_decision_js_1 = require("./charged-decision.js");
/**
 * Gives back what a decision took, as `refund` of the limiter that has made it: for handlers that have the decision and
 * not the limiter.
 *
 * @returns the units given back, added up over the tiers
 */
async function refund(decision, units) {
    return (0, charged_decision_js_1.limiterOf)(decision).refund(decision, units);
}
/**
 * Puts a reserved cost right, as `settle` of the limiter that has made the decision: for handlers that have the decision
 * and not the limiter.
 *
 * @returns the units charged besides, less those given back, added up over the tiers
 */
async function settle(decision, cost) {
    return (0, charged_decision_js_1.limiterOf)(decision).settle(decision, cost);
}
//# sourceMappingURL=of-decision.js.map