"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.toldTiers = toldTiers;
const decision_js_1 = require("../../model/decision.js");
const policy_js_1 = require("../../model/policy.js");
const quota_js_1 = require("./quota.js");
/**
 * Lists are read by name, so a name stands once. Two limiters may share a tier: then the stricter answer stands. Or they
 * may have tiers of one name in stores of their own: then the later one is told with a number.
 */
function toldTiers(counted) {
    const told = [];
    const taken = new Set();
    for (const { limiter, decision } of counted) {
        const policies = limiter.policies(decision);
        decision.outcomes.forEach((outcome, index) => {
            if (!outcome.shadow)
                tell(told, taken, outcome, policies[index]);
        });
    }
    return told;
}
function tell(told, taken, outcome, policy) {
    const same = told.findIndex(({ label, policy: other }) => label.tier === outcome.tier && (0, policy_js_1.samePolicy)(other, policy));
    if (same >= 0) {
        const before = told[same];
        told[same] = { ...before, outcome: (0, decision_js_1.bindingOf)([before.outcome, outcome]) };
        return;
    }
    for (let number = 1;; number += 1) {
        const label = { tier: outcome.tier, number };
        const names = (0, quota_js_1.quotasOf)(label, policy, outcome.limit).map(({ name }) => name);
        // Another tier may be called what a window of this one is told by.
        if (names.some((name) => taken.has(name)))
            continue;
        for (const name of names)
            taken.add(name);
        told.push({ label, outcome, policy });
        return;
    }
}
//# sourceMappingURL=told-tier.js.map