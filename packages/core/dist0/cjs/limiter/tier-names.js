"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.registerTierNames = registerTierNames;
exports.checkTierName = checkTierName;
const errors_js_1 = require("../model/errors.js");
const option_reader_js_1 = require("../model/option-reader.js");
const NAME = /^[\x20-\x7e]{1,64}$/;
/** A percent sign stands for what a name cannot have: names of routes are encoded so. */
const RESERVED = /[{}"\\]|%(?![\dA-F]{2})/;
// By store, for that is where equal names would meet.
const namesByStore = new WeakMap();
/**
 * Keeps the names of tiers for them: within a store and prefix a name belongs to one set of numbers. Only the plans of
 * one limiter may give it other limits, as a limit that is a function does: whoever changes plans keeps what is used.
 * Keeps all or none.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
function registerTierNames(owner, tiers) {
    const { store, prefix } = owner;
    const names = namesByStore.get(store) ?? new Map();
    // No prefix has a space in it.
    const placeOf = (name) => `${prefix} ${name}`;
    const taken = tiers.find((tier) => {
        const other = names.get(placeOf(tier.name));
        return other && !(other.owner === owner ? other.tier.sameState(tier) : other.tier.sameNumbers(tier));
    });
    if (taken) {
        const { name } = taken;
        throw new errors_js_1.ConfigError('TIER_NAME_TAKEN', 'name', name, `tier "${name}": name must belong to one tier of a store, and another tier of this name has other numbers or another function for its limit: rename one, or use the same object for both, got "${name}"`);
    }
    for (const tier of tiers)
        names.set(placeOf(tier.name), { tier, owner });
    namesByStore.set(store, names);
}
/** @throws ConfigError TIER_NAME_INVALID */
function checkTierName(name) {
    if (typeof name === 'string' && NAME.test(name) && !RESERVED.test(name))
        return name;
    throw new errors_js_1.ConfigError('TIER_NAME_INVALID', 'name', name, `tier: name must be 1 to 64 printable ASCII characters without { } " \\ and %, got ${(0, option_reader_js_1.show)(name)}`);
}
//# sourceMappingURL=tier-names.js.map