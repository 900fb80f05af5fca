export function claimsOf(asks) {
    // Made as large as it will be: what grows takes room for many.
    const claims = new Array(asks.length);
    let count = 0;
    for (const { claim } of asks)
        if (claim)
            claims[count++] = claim;
    if (count < claims.length)
        claims.length = count;
    return claims;
}
/** The outcomes of the store in the order of the tiers, with those that no store was asked for. */
export function outcomesOf(asks, { outcomes }) {
    // Nearly always all were asked for, and all have answered.
    if (outcomes.length === asks.length)
        return outcomes;
    let next = 0;
    return asks.flatMap(({ tier, cost, claim }) => {
        if (claim === undefined)
            return zeroOutcome(tier, cost);
        // An answer from elsewhere than the store leaves tiers out.
        return outcomes[next]?.tier === tier.name ? outcomes[next++] : [];
    });
}
/** The outcome of a tier whose limit is 0 for this subject. */
function zeroOutcome({ name, shadow }, cost) {
    const allowed = cost === 0;
    return {
        tier: name,
        allowed,
        never: !allowed,
        shadow,
        limit: 0,
        remaining: 0,
        retryAfter: allowed ? 0 : Infinity,
        replenishAfter: 0,
        resetAfter: 0,
        delay: 0,
    };
}
//# sourceMappingURL=ask.js.map