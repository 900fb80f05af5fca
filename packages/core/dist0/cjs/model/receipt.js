"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.toReceipt = toReceipt;
/** @param now microseconds */
function toReceipt(claim, ruling, now) {
    const at = Math.floor(now / claim.policy.tick);
    const { tier, key, policy } = claim;
    return { tier, key, policy, units: ruling.charged, at, until: at + ruling.resetAfter };
}
//# sourceMappingURL=receipt.js.map