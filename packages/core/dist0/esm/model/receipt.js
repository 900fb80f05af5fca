/** @param now microseconds */
export function toReceipt(claim, ruling, now) {
    const at = Math.floor(now / claim.policy.tick);
    const { tier, key, policy } = claim;
    return { tier, key, policy, units: ruling.charged, at, until: at + ruling.resetAfter };
}
//# sourceMappingURL=receipt.js.map