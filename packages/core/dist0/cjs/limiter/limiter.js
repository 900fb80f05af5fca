"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLimiter = createLimiter;
exports.limiterWithin = limiterWithin;
const channels_js_1 = require("../events/channels.js");
const decision_js_1 = require("../model/decision.js");
const errors_js_1 = require("../model/errors.js");
const later_js_1 = require("../model/later.js");
const is_promise_js_1 = require("../model/is-promise.js");
const proceed_js_1 = require("../model/proceed.js");
const option_reader_js_1 = require("../model/option-reader.js");
const compose_js_1 = require("../stores/compose.js");
const ask_js_1 = require("./ask.js");
const asker_js_1 = require("./asker.js");
const key_maker_js_1 = require("./key-maker.js");
const charged_decision_js_1 = require("./charged-decision.js");
const limiter_options_js_1 = require("./limiter-options.js");
const plans_js_1 = require("./plans.js");
const settlement_js_1 = require("./settlement.js");
/** @throws ConfigError that names the option, the rule and the value */
function createLimiter(options) {
    return limiterWithin(options, {});
}
/** A limiter among options that are not all its own. @throws ConfigError */
function limiterWithin(options, { besides = [], ...defaults }) {
    (0, limiter_options_js_1.checkLimiterOptions)(options, besides);
    const own = Object.entries(options).filter(([name]) => !besides.includes(name));
    return new TieredLimiter(Object.fromEntries(own), defaults);
}
class TieredLimiter {
    /** The store as it was given, or made. */
    #given;
    /** The store with what stands before it. */
    #store;
    #composed;
    #ownsStore;
    #asker;
    #plans;
    constructor(options, given) {
        const { store = (0, compose_js_1.defaultStore)(), partition, prefix = 'rl', secret, ...others } = options;
        const { onStoreFailure, share, denyCache = true, ...rest } = others;
        const defaults = { ...given, onStoreFailure, share };
        this.#ownsStore = options.store === undefined;
        this.#given = store;
        this.#composed = (0, compose_js_1.compose)(store);
        this.#store = denyCache ? this.#composed.cached : this.#composed.uncached;
        this.#asker = new asker_js_1.Asker(new key_maker_js_1.KeyMaker(prefix, secret), partition);
        const tiers = 'tiers' in rest ? rest.tiers : [rest];
        this.#plans = new plans_js_1.Plans(tiers, { store, ownStore: this.#ownsStore, prefix, defaults });
    }
    consume(subject, options) {
        return this.#decide('consume', subject, options);
    }
    peek(subject, options) {
        return this.#decide('peek', subject, options);
    }
    async refund(decision, units = Infinity) {
        const { receipts } = (0, charged_decision_js_1.chargesOf)(this, decision);
        if (units !== Infinity)
            this.#checkCosts('refund', 'units', units, decision);
        (0, charged_decision_js_1.spend)(decision);
        const most = (tier) => (typeof units === 'number' ? units : Object.hasOwn(units, tier) ? units[tier] : 0);
        const given = receipts.map((receipt) => ({ ...receipt, units: Math.min(most(receipt.tier), receipt.units) }));
        return given.length === 0 ? 0 : this.#store.refund(given);
    }
    async settle(decision, costs) {
        const charges = (0, charged_decision_js_1.chargesOf)(this, decision);
        this.#checkCosts('settle', 'cost', costs, decision);
        const { less, more } = (0, settlement_js_1.settlementOf)(decision, charges, costs);
        (0, charged_decision_js_1.spend)(decision);
        const [given, charged] = await Promise.all([
            less.length > 0 ? this.#store.refund(less) : 0,
            (0, proceed_js_1.proceed)(this.#ask('consume', more), ({ receipts }) => receipts.reduce((sum, { units }) => sum + units, 0)),
        ]);
        return charged - given;
    }
    async reset(subject, options) {
        const tiers = await this.#choose('reset', subject, options);
        await this.#store.reset(await this.#asker.keys(tiers, subject));
    }
    async inspect(subject, options) {
        const asks = await this.#asker.asksForOne(await this.#choose('inspect', subject, options), subject);
        const claims = (0, ask_js_1.claimsOf)(asks);
        // Whoever looks wants to know what is there, and not what is thought in the meantime.
        const answer = claims.length === 0 ? NOTHING_ASKED : await this.#given.peek(claims);
        const outcomes = (0, ask_js_1.outcomesOf)(asks, answer);
        const recorded = await Promise.all(asks.map(({ claim }) => (claim ? this.#given.inspect(claim.key) : [])));
        return outcomes.map((outcome, index) => ({ outcome, recorded: recorded[index] }));
    }
    policies(decision) {
        return (0, charged_decision_js_1.policiesOf)(this, decision);
    }
    async close() {
        await this.#composed.release();
        if (this.#ownsStore)
            await this.#given.close();
    }
    #decide(verb, subject, options) {
        try {
            const cost = costOf(options);
            const tiers = this.#plans.tiersFor(subject);
            const asks = tiers instanceof Promise
                ? tiers.then((each) => this.#asker.asks(each, subject, cost))
                : this.#asker.asks(tiers, subject, cost);
            const decided = asks instanceof Promise ? asks.then((each) => this.#answer(verb, each)) : this.#answer(verb, asks);
            return decided instanceof later_js_1.Later ? decided.promise() : decided;
        }
        catch (error) {
            // Whoever awaits has one way of being told.
            return Promise.reject(error);
        }
    }
    #answer(verb, asks) {
        const claims = (0, ask_js_1.claimsOf)(asks);
        if (verb === 'peek') {
            return (0, proceed_js_1.proceed)(this.#ask('peek', claims), (answer) => (0, decision_js_1.toDecision)((0, ask_js_1.outcomesOf)(asks, answer), answer.source, answer.fallback));
        }
        const isRefused = claims.length < asks.length && asks.some(refuses);
        return (0, proceed_js_1.proceed)(isRefused ? this.#refuse(claims) : this.#ask('consume', claims), (answer) => {
            const decision = (0, charged_decision_js_1.decisionOf)(this, asks, answer);
            if (channels_js_1.channels.decision.hasSubscribers)
                channels_js_1.channels.decision.publish({ decision });
            return decision;
        });
    }
    /**
     * The request is denied by a limit of 0, of which no store knows: what counts denied requests counts it, and as it is
     * not admitted, nothing is recorded.
     */
    #refuse(claims) {
        const counted = claims.filter((claim) => claim.countDenied).map((claim) => ({ ...claim, record: undefined }));
        // Both at once, for a request waits once; a store answers in the order in which it is asked.
        const charging = this.#ask('consume', counted);
        return (0, proceed_js_1.proceed)(both(charging, this.#ask('peek', claims)), ([charged, peeked]) => ({
            ...peeked,
            outcomes: peeked.outcomes.map((outcome) => charged.outcomes.find(({ tier }) => tier === outcome.tier) ?? outcome),
            receipts: charged.receipts,
        }));
    }
    async #choose(owner, subject, { tiers: names } = {}) {
        const tiers = await this.#plans.tiersFor(subject);
        if (names === undefined)
            return tiers;
        if (!Array.isArray(names))
            throw new errors_js_1.UsageError('USAGE_INVALID', `${owner}: tiers must be an array, got ${(0, option_reader_js_1.show)(names)}`);
        checkNames(owner, names, tiers.map((tier) => tier.name));
        return tiers.filter((tier) => names.includes(tier.name));
    }
    #checkCosts(owner, name, costs, { outcomes }) {
        const named = typeof costs === 'object' && costs !== null;
        for (const each of named ? Object.values(costs) : [costs])
            checkUnits(`${owner}: ${name}`, each);
        if (!named)
            return;
        const names = Object.keys(costs);
        // Tiers of other plans may be named, beside some of this decision: a name that is misspelt would settle nothing.
        const others = this.#plans.names ?? (names.some((each) => outcomes.some(({ tier }) => tier === each)) ? names : []);
        checkNames(owner, names, [...new Set([...others, ...outcomes.map(({ tier }) => tier)])]);
    }
    #ask(verb, claims) {
        return claims.length === 0 ? NOTHING_ASKED : this.#store[verb](claims);
    }
}
const NOTHING_ASKED = { outcomes: [], receipts: [], source: 'none' };
/** A limit of 0 denies what costs anything. */
function refuses({ tier, cost, claim }) {
    return claim === undefined && cost > 0 && !tier.shadow;
}
function both(one, other) {
    return (0, is_promise_js_1.isPromise)(one) || (0, is_promise_js_1.isPromise)(other) ? Promise.all([one, other]) : [one, other];
}
/** @throws UsageError also for what would be overlooked: `consume(subject, 3)`, `{ costs: 3 }` */
function costOf(options) {
    if (options === undefined || options === null)
        return 1;
    if (typeof options !== 'object')
        throw new errors_js_1.UsageError('USAGE_INVALID', `options must be { cost }, got ${(0, option_reader_js_1.show)(options)}`);
    for (const name in options) {
        if (name !== 'cost')
            throw new errors_js_1.UsageError('USAGE_INVALID', `options must be { cost }, got the option ${(0, option_reader_js_1.show)(name)}`);
    }
    const { cost = 1 } = options;
    checkUnits('cost', cost);
    return cost;
}
function checkNames(owner, names, known = names) {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined)
        return;
    throw new errors_js_1.UsageError('USAGE_INVALID', `${owner}: tiers must name tiers of this limiter (${known.join(', ')}), got ${(0, option_reader_js_1.show)(unknown)}`);
}
function checkUnits(owner, units) {
    if (typeof units === 'number' && Number.isSafeInteger(units) && units >= 0)
        return;
    throw new errors_js_1.UsageError('COST_INVALID', `${owner} must be an integer of at least 0, got ${(0, option_reader_js_1.show)(units)}`);
}
//# sourceMappingURL=limiter.js.map