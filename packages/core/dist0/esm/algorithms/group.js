import { NEVER } from '../model/ruling.js';
import { algorithmOf } from './index.js';
export function candidate(claim, stored) {
    return {
        claim,
        algorithm: algorithmOf(claim.policy),
        stored,
        ticks: 0,
        state: undefined,
        changed: false,
        wait: 0,
        charged: 0,
        ruling: undefined,
    };
}
/**
 * Decides the claims of one request together. An enforced claim is charged only when every enforced one fits, a shadow
 * claim when it fits besides; a claim that counts denied requests is charged for each, at most up to full.
 *
 * @param now microseconds
 */
export function consumeGroup(candidates, now) {
    // As most are, and nobody else denies it.
    if (candidates.length === 1) {
        readAndWait(candidates[0], now);
        settle(candidates[0], true);
        return;
    }
    let admit = true;
    for (const each of candidates) {
        readAndWait(each, now);
        if (each.wait !== 0 && !each.claim.shadow)
            admit = false;
    }
    for (const each of candidates)
        settle(each, admit);
}
/** Answers the claims of one request and changes nothing. */
export function peekGroup(candidates, now) {
    for (const each of candidates) {
        readAndWait(each, now);
        describe(each);
    }
}
function isAhead({ claim, algorithm, stored, ticks }) {
    return stored !== undefined && algorithm.ahead(stored, ticks, claim.policy);
}
function waitOf({ claim, algorithm, state, ticks }) {
    const { policy, cost } = claim;
    if (cost > policy.capacity)
        return NEVER;
    return cost === 0 ? 0 : algorithm.wait(state, ticks, policy, cost);
}
function readAndWait(each, now) {
    const { policy } = each.claim;
    each.ticks = Math.floor(now / policy.tick);
    each.state = each.algorithm.read(each.stored, each.ticks, policy);
    each.wait = waitOf(each);
}
/** @param admit no other claim denies */
function settle(each, admit) {
    const { cost, countDenied } = each.claim;
    if (cost > 0 && (countDenied || (admit && each.wait === 0)))
        charge(each);
    // What is charged is kept anyway.
    else
        each.changed = isAhead(each);
    describe(each);
}
function describe(each) {
    const { claim, algorithm, state, ticks, charged, wait: retryAfter } = each;
    const asked = { cost: claim.cost, charged, retryAfter };
    const description = algorithm.describe(state, ticks, claim.policy, asked);
    each.ruling = {
        charged,
        limit: description.limit,
        remaining: description.remaining,
        retryAfter,
        replenishAfter: description.replenishAfter,
        resetAfter: description.resetAfter,
        delay: description.delay,
    };
}
function charge(each) {
    const { claim, algorithm, state, ticks } = each;
    const { policy, cost } = claim;
    const denied = each.wait !== 0;
    each.charged = denied ? Math.min(cost, algorithm.remaining(state, ticks, policy)) : cost;
    each.state = algorithm.charge(state, ticks, policy, cost);
    each.changed = true;
    // A denied request that was counted has made its own wait longer.
    if (denied)
        each.wait = waitOf(each);
}
//# sourceMappingURL=group.js.map