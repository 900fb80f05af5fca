import { toMilliseconds } from './duration.js';
import { NEVER } from './ruling.js';
/** Says in public units what an algorithm ruled. */
export function toOutcome(claim, ruling) {
    const { tick } = claim.policy;
    const never = ruling.retryAfter === NEVER;
    return {
        tier: claim.tier,
        allowed: ruling.retryAfter === 0,
        never,
        shadow: claim.shadow,
        limit: ruling.limit,
        remaining: ruling.remaining,
        retryAfter: never ? Infinity : toMilliseconds(ruling.retryAfter * tick),
        replenishAfter: toMilliseconds(ruling.replenishAfter * tick),
        resetAfter: toMilliseconds(ruling.resetAfter * tick),
        delay: toMilliseconds(ruling.delay * tick),
    };
}
//# sourceMappingURL=outcome.js.map