"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Singles = void 0;
const group_js_1 = require("../../algorithms/group.js");
const index_js_1 = require("../../algorithms/index.js");
const described_claims_js_1 = require("./described-claims.js");
const found_state_js_1 = require("./found-state.js");
const question_js_1 = require("./question.js");
/**
 * A unit each of keys under one policy. The units of a key that is asked for often go as one number, for the script charges
 * as many as fit. Where it tells what it has found they are ruled on here, at the time that it was there, by the functions
 * whose twins have decided.
 */
class Singles {
    scriptName;
    keys;
    arguments;
    #policy;
    #claims;
    /** For each claim the number of its key among different ones; undefined where all of them are different. */
    #numbers;
    /** @param claims one for each check */
    constructor(policy, claims) {
        this.#policy = policy;
        this.#claims = claims;
        this.scriptName = `singles-${(0, index_js_1.algorithmOf)(policy).code}`;
        const keys = claims.map(({ key }) => key);
        this.keys = keys;
        this.arguments = (0, question_js_1.policyArguments)(policy);
        if (keys.length === 1)
            return;
        const different = new Set(keys);
        if (different.size === keys.length)
            return;
        this.keys = [...different];
        const numbers = new Map(this.keys.map((key, number) => [key, number]));
        this.#numbers = keys.map((key) => numbers.get(key));
        const units = new Array(different.size).fill(0);
        for (const number of this.#numbers)
            units[number] += 1;
        this.arguments = [...this.arguments, ...units];
    }
    static of(asked) {
        const { policy } = asked[0].group[0];
        const claims = [];
        for (const { group, peek } of asked) {
            const claim = group[0];
            if (peek || group.length > 1 || claim.policy !== policy || !isOneUnit(claim))
                return undefined;
            claims.push(claim);
        }
        return new Singles(policy, claims);
    }
    read(reply) {
        const now = reply[0];
        const policy = this.#policy;
        const states = new Array(this.keys.length);
        /** What is told by no state. */
        const others = new Map();
        for (let key = 0; key < states.length; key += 1) {
            const told = reply[key + 1];
            if (typeof told === 'number')
                states[key] = (0, found_state_js_1.foundState)(policy, now, told);
            else
                others.set(key, typeof told === 'string' ? told : new described_claims_js_1.DescribedClaims(told, 0));
        }
        const rulings = this.#claims.map((claim, index) => {
            const key = this.#numbers ? this.#numbers[index] : index;
            const other = others.get(key);
            if (other !== undefined)
                return typeof other === 'string' ? other : other.rulings([claim], false);
            const ruled = (0, group_js_1.candidate)(claim, states[key]);
            (0, group_js_1.consumeGroup)([ruled], now);
            if (ruled.changed)
                states[key] = ruled.state;
            return [ruled.ruling];
        });
        return { now, rulings };
    }
}
exports.Singles = Singles;
function isOneUnit({ cost, countDenied, record }) {
    return cost === 1 && !countDenied && record === undefined;
}
//# sourceMappingURL=singles.js.map