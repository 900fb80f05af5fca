"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.unavailable = unavailable;
exports.toDecision = toDecision;
exports.fillIn = fillIn;
exports.bindingOf = bindingOf;
/** Seconds. Everybody who is told the same would come back at the same time. */
const LATEST = 5;
/** The decision that nobody could make: the request is not admitted, and nothing says that it was too many. */
function unavailable() {
    return {
        allowed: false,
        reason: 'unavailable',
        deniedBy: [],
        outcomes: [],
        retryAfter: Math.ceil(Math.random() * LATEST) * 1_000 || 1_000,
        delay: 0,
        source: 'none',
        degraded: true,
    };
}
/**
 * @param outcomes largest first
 * @param fallback how it was decided instead, where the store could not answer
 */
function toDecision(outcomes, source, fallback) {
    return fillIn({}, outcomes, source, fallback);
}
/** Fills in a decision that is more than its numbers. */
function fillIn(decision, outcomes, source, fallback) {
    const enforced = outcomes.some(isShadow) ? outcomes.filter((outcome) => !outcome.shadow) : outcomes;
    const binding = bindingOf(enforced);
    const allowed = binding === undefined || binding.allowed;
    // A limit of 0 denies whatever the store would say.
    if (fallback === 'deny' && allowed)
        return Object.assign(decision, unavailable());
    decision.allowed = allowed;
    decision.reason = 'ok';
    decision.deniedBy = NOBODY;
    decision.outcomes = outcomes;
    decision.retryAfter = 0;
    decision.delay = 0;
    decision.source = source;
    decision.degraded = fallback !== undefined;
    if (binding === undefined)
        return decision;
    decision.binding = binding;
    if (allowed) {
        for (const { delay } of enforced)
            if (delay > decision.delay)
                decision.delay = delay;
        return decision;
    }
    const denying = enforced.filter((outcome) => !outcome.allowed);
    decision.reason = denying.some(({ never }) => never) ? 'never' : 'denied';
    decision.deniedBy = denying.map(({ tier }) => tier);
    decision.retryAfter = binding.retryAfter;
    return decision;
}
const NOBODY = Object.freeze([]);
/**
 * Of enforced outcomes: among those that deny the one to wait longest for, else the one that is closest to denying; of
 * equals the first.
 */
function bindingOf(enforced) {
    let binding = enforced[0];
    for (const outcome of enforced)
        if (bindsMore(outcome, binding))
            binding = outcome;
    return binding;
}
function bindsMore(one, other) {
    if (one.allowed !== other.allowed)
        return !one.allowed;
    return one.allowed ? one.remaining < other.remaining : one.retryAfter > other.retryAfter;
}
function isShadow({ shadow }) {
    return shadow;
}
//# sourceMappingURL=decision.js.map