"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.EqualGroups = void 0;
const group_js_1 = require("../../algorithms/group.js");
const described_claims_js_1 = require("./described-claims.js");
const found_state_js_1 = require("./found-state.js");
const question_js_1 = require("./question.js");
/**
 * Groups of a unit each under the same fixed windows, as those of one limiter are: the policies are said once, and nothing
 * of the claims. They are ruled on here, as single units are.
 */
class EqualGroups {
    scriptName = 'groups-fw';
    /** Each once. */
    keys;
    arguments;
    #asked;
    /** For each claim, group by group, the number of its key; undefined where all of them are different. */
    #numbers;
    constructor(policies, asked, keys, numbers) {
        this.#asked = asked;
        this.keys = keys;
        this.#numbers = numbers;
        const told = [policies.length, ...policies.flatMap(question_js_1.policyArguments)];
        // Lua counts from 1.
        this.arguments = numbers ? [...told, ...numbers.map((number) => number + 1)] : told;
    }
    static of(asked) {
        const policies = asked[0].group.map(({ policy }) => policy);
        if (!policies.every(isByTheFirst))
            return undefined;
        const keys = [];
        for (const { group, peek } of asked) {
            if (peek || group.length !== policies.length)
                return undefined;
            for (let place = 0; place < group.length; place += 1) {
                const claim = group[place];
                if (claim.policy !== policies[place] || !isEnforcedUnit(claim))
                    return undefined;
                keys.push(claim.key);
            }
        }
        const different = [...new Set(keys)];
        if (different.length === keys.length)
            return new EqualGroups(policies, asked, keys, undefined);
        const numbers = numbersOf(keys, policies.length);
        return numbers && new EqualGroups(policies, asked, different, numbers);
    }
    read(reply) {
        const now = reply[0];
        const found = reply[1];
        if (typeof found === 'object')
            return { now, rulings: this.#rule(found, now) };
        const claims = new described_claims_js_1.DescribedClaims(reply, 1);
        return { now, rulings: this.#asked.map(({ group }) => claims.next(group, false)) };
    }
    #rule(found, now) {
        const states = [];
        return this.#asked.map(({ group }, index) => {
            const first = index * group.length;
            const candidates = group.map((claim, place) => {
                const number = this.#numberOf(first + place);
                states[number] ??= (0, found_state_js_1.foundState)(claim.policy, now, found[number]);
                return (0, group_js_1.candidate)(claim, states[number]);
            });
            (0, group_js_1.consumeGroup)(candidates, now);
            return candidates.map(({ state, changed, ruling }, place) => {
                if (changed)
                    states[this.#numberOf(first + place)] = state;
                return ruling;
            });
        });
    }
    #numberOf(claim) {
        return this.#numbers ? this.#numbers[claim] : claim;
    }
}
exports.EqualGroups = EqualGroups;
/** Numbers different keys in their order; undefined where one of them is under two policies. */
function numbersOf(keys, policies) {
    const known = new Map();
    const numbers = [];
    for (const [index, key] of keys.entries()) {
        const place = index % policies;
        const first = known.get(key) ?? { number: known.size, place };
        if (first.place !== place)
            return undefined;
        known.set(key, first);
        numbers.push(first.number);
    }
    return numbers;
}
function isByTheFirst(policy) {
    return policy.algorithm === 'fixed-window' && policy.anchor === 'first' && (0, found_state_js_1.isTold)(policy);
}
function isEnforcedUnit({ cost, shadow, countDenied, record }) {
    return cost === 1 && !shadow && !countDenied && record === undefined;
}
//# sourceMappingURL=equal-groups.js.map