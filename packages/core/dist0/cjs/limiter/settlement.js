"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.settlementOf = settlementOf;
const errors_js_1 = require("../model/errors.js");
/** @throws UsageError for a number where every tier has a cost of its own: it would settle nothing */
function settlementOf({ allowed, outcomes }, { asks, receipts }, costs) {
    if (typeof costs === 'number' && asks.length > 0 && asks.every(({ tier }) => tier.cost !== undefined)) {
        const named = asks.map(({ tier }) => tier.name).join(', ');
        throw new errors_js_1.UsageError('USAGE_INVALID', `settle: every tier has a cost of its own (${named}): name them, got ${costs}`);
    }
    const less = [];
    const more = [];
    for (const { tier, claim } of asks) {
        const receipt = receipts.find((each) => each.tier === tier.name);
        const fits = allowed && outcomes.some((outcome) => outcome.tier === tier.name && outcome.allowed);
        // A tier that was not charged because the request was denied, or because it only watches, has nothing to settle.
        if (claim === undefined || !(receipt || fits))
            continue;
        const cost = costOf(tier, costs);
        const charged = receipt?.units ?? 0;
        if (cost === undefined || cost === charged)
            continue;
        if (receipt && cost < charged)
            less.push({ ...receipt, units: charged - cost });
        else
            more.push({ ...claim, cost: cost - charged, countDenied: true, record: undefined });
    }
    return { less, more };
}
function costOf(tier, costs) {
    if (typeof costs === 'number')
        return tier.cost === undefined ? costs : undefined;
    return Object.hasOwn(costs, tier.name) ? costs[tier.name] : undefined;
}
//# sourceMappingURL=settlement.js.map