"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Asker = void 0;
const errors_js_1 = require("../model/errors.js");
const identity_js_1 = require("../model/identity.js");
const option_reader_js_1 = require("../model/option-reader.js");
const attempt_js_1 = require("./attempt.js");
const RECORD_BYTES = 64;
const BYTES = new Uint8Array(RECORD_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
/** The functions that return units. */
const NUMBERS = new Set(['limit', 'cost']);
/** Asks the functions of tiers about a subject. */
class Asker {
    #keys;
    #partition;
    constructor(keys, partition) {
        this.#keys = keys;
        this.#partition = partition;
    }
    /**
     * The asks of the tiers that apply, in their order. All functions are called, in order, before one is awaited.
     * Throws or rejects with UsageError when one fails or returns nonsense.
     */
    asks(tiers, subject, cost) {
        return this.#collect(tiers, subject, (tier) => answersOf(tier, subject, cost));
    }
    /** Asks for one unit of each tier, by key and limit alone: what an operator knows of a subject is enough. */
    asksForOne(tiers, subject) {
        return this.#collect(tiers, subject, (tier) => [keyOf(tier, subject), limitOf(tier, subject), 1, undefined]);
    }
    #collect(tiers, subject, answersOfTier) {
        const partition = this.#partition && (0, attempt_js_1.attempt)('limiter', 'partition', this.#partition, subject);
        const answers = tiers.map(answersOfTier);
        let isWaiting = partition instanceof Promise;
        for (const each of answers)
            if (hasPromise(each))
                isWaiting = true;
        if (!isWaiting)
            return this.#build(tiers, partition, answers);
        return Promise.all([partition, ...answers.map((each) => Promise.all(each))]).then(([tag, ...all]) => this.#build(tiers, tag, all));
    }
    /** The keys of tiers, whatever their limits are. */
    keys(tiers, subject) {
        const partition = this.#partition && (0, attempt_js_1.attempt)('limiter', 'partition', this.#partition, subject);
        const keys = tiers.map((tier) => keyOf(tier, subject));
        const build = (tag, found) => tiers.map((tier, index) => this.#key(tier, found[index], this.#tag(tag)));
        if (!(partition instanceof Promise) && !hasPromise(keys))
            return build(partition, keys);
        return Promise.all([partition, ...keys]).then(([tag, ...found]) => build(tag, found));
    }
    #build(tiers, partition, answers) {
        const tag = this.#tag(partition);
        const asks = new Array(tiers.length);
        let count = 0;
        for (let index = 0; index < tiers.length; index += 1) {
            const tier = tiers[index];
            const answer = answers[index];
            const limit = answer[1];
            if (limit === null)
                continue;
            const units = wholeNumber(tier, 'cost', answer[2]);
            const most = wholeNumber(tier, 'limit', limit);
            if (most === 0) {
                asks[count++] = { tier, cost: units, claim: undefined };
                continue;
            }
            const { policy, local } = tier.policiesAt(most);
            const text = recordText(tier, answer[3]);
            const one = this.#claim(tier, answer[0], tag);
            const isOne = units === 1 && policy === one.policy && text === undefined;
            const claim = isOne ? one : { ...one, cost: units, policy, localPolicy: local, record: text };
            asks[count++] = { tier, cost: units, claim };
        }
        if (count < asks.length)
            asks.length = count;
        return asks;
    }
    /** A claim of one unit. */
    #claim(tier, key, tag) {
        if (!(0, identity_js_1.isKey)(key))
            throw noKey(tier, key);
        const known = tag === undefined ? tier.claims.get(key) : undefined;
        if (known)
            return known;
        const claim = {
            tier: tier.name,
            key: this.#key(tier, key, tag),
            policy: tier.policies.policy,
            cost: 1,
            shadow: tier.shadow,
            countDenied: tier.countDenied,
            record: undefined,
            lease: tier.lease,
            onStoreFailure: tier.onStoreFailure,
            localPolicy: tier.policies.local,
        };
        if (tag === undefined)
            tier.claims.set(key, claim);
        return claim;
    }
    #tag(partition) {
        if (this.#partition === undefined)
            return undefined;
        if ((0, identity_js_1.isKey)(partition))
            return this.#keys.digest(partition);
        throw nonsense('limiter', 'partition', 'a non-empty text or an identity', partition);
    }
    #key(tier, key, tag) {
        if (!(0, identity_js_1.isKey)(key))
            throw noKey(tier, key);
        return this.#keys.key(this.#keys.digest(key), tag, tier.name, tier.shape);
    }
}
exports.Asker = Asker;
function answersOf(tier, subject, cost) {
    return [
        keyOf(tier, subject),
        limitOf(tier, subject),
        typeof tier.cost === 'function' ? (0, attempt_js_1.attempt)(tier.owner, 'cost', tier.cost, subject) : (tier.cost ?? cost),
        tier.record && (0, attempt_js_1.attempt)(tier.owner, 'record', tier.record, subject),
    ];
}
function keyOf(tier, subject) {
    return (0, attempt_js_1.attempt)(tier.owner, 'key', tier.key, subject);
}
function limitOf(tier, subject) {
    return typeof tier.limit === 'function' ? (0, attempt_js_1.attempt)(tier.owner, 'limit', tier.limit, subject) : tier.policy.limit;
}
function hasPromise(answers) {
    for (const answer of answers)
        if (answer instanceof Promise)
            return true;
    return false;
}
function noKey(tier, key) {
    return nonsense(tier.owner, 'key', 'a non-empty text or an identity', key);
}
function wholeNumber(tier, name, value) {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)
        return value;
    throw nonsense(tier.owner, name, `an integer of at least 0${name === 'limit' ? ', or null' : ''}`, value);
}
function recordText(tier, text) {
    if (text === undefined || text === '')
        return undefined;
    if (typeof text !== 'string')
        throw nonsense(tier.owner, 'record', 'text or undefined', text);
    // A character is 1 to 4 bytes, and only what is whole is kept.
    const { written } = ENCODER.encodeInto(text, BYTES);
    // A slice would hold on to all of the text.
    return DECODER.decode(BYTES.subarray(0, written));
}
function nonsense(owner, name, rule, value) {
    // A key that is a number identifies somebody, and so can any text.
    const shown = typeof value === 'number' && NUMBERS.has(name) ? String(value) : kindOf(value);
    return new errors_js_1.UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}`);
}
/** What a value is, and nothing of what is in it. */
function kindOf(value) {
    if (value === undefined || value === null)
        return String(value);
    if (value === '')
        return 'empty text';
    if (typeof value === 'string')
        return 'text';
    return typeof value === 'object' || typeof value === 'function' ? (0, option_reader_js_1.show)(value) : `a ${typeof value}`;
}
//# sourceMappingURL=asker.js.map