import { channels } from '../events/channels.js';
import { toDecision } from '../model/decision.js';
import { UsageError } from '../model/errors.js';
import { Later } from '../model/later.js';
import { isPromise } from '../model/is-promise.js';
import { proceed } from '../model/proceed.js';
import { show } from '../model/option-reader.js';
import { compose, defaultStore } from '../stores/compose.js';
import { claimsOf, outcomesOf } from './ask.js';
import { Asker } from './asker.js';
import { KeyMaker } from './key-maker.js';
import { chargesOf, decisionOf, policiesOf, spend } from './charged-decision.js';
import { checkLimiterOptions } from './limiter-options.js';
import { Plans } from './plans.js';
import { settlementOf } from './settlement.js';
/** @throws ConfigError that names the option, the rule and the value */
export function createLimiter(options) {
    return limiterWithin(options, {});
}
/** A limiter among options that are not all its own. @throws ConfigError */
export function limiterWithin(options, { besides = [], ...defaults }) {
    checkLimiterOptions(options, besides);
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
        const { store = defaultStore(), partition, prefix = 'rl', secret, ...others } = options;
        const { onStoreFailure, share, denyCache = true, ...rest } = others;
        const defaults = { ...given, onStoreFailure, share };
        this.#ownsStore = options.store === undefined;
        this.#given = store;
        this.#composed = compose(store);
        this.#store = denyCache ? this.#composed.cached : this.#composed.uncached;
        this.#asker = new Asker(new KeyMaker(prefix, secret), partition);
        const tiers = 'tiers' in rest ? rest.tiers : [rest];
        this.#plans = new Plans(tiers, { store, ownStore: this.#ownsStore, prefix, defaults });
    }
    consume(subject, options) {
        return this.#decide('consume', subject, options);
    }
    peek(subject, options) {
        return this.#decide('peek', subject, options);
    }
    async refund(decision, units = Infinity) {
        const { receipts } = chargesOf(this, decision);
        if (units !== Infinity)
            this.#checkCosts('refund', 'units', units, decision);
        spend(decision);
        const most = (tier) => (typeof units === 'number' ? units : Object.hasOwn(units, tier) ? units[tier] : 0);
        const given = receipts.map((receipt) => ({ ...receipt, units: Math.min(most(receipt.tier), receipt.units) }));
        return given.length === 0 ? 0 : this.#store.refund(given);
    }
    async settle(decision, costs) {
        const charges = chargesOf(this, decision);
        this.#checkCosts('settle', 'cost', costs, decision);
        const { less, more } = settlementOf(decision, charges, costs);
        spend(decision);
        const [given, charged] = await Promise.all([
            less.length > 0 ? this.#store.refund(less) : 0,
            proceed(this.#ask('consume', more), ({ receipts }) => receipts.reduce((sum, { units }) => sum + units, 0)),
        ]);
        return charged - given;
    }
    async reset(subject, options) {
        const tiers = await this.#choose('reset', subject, options);
        await this.#store.reset(await this.#asker.keys(tiers, subject));
    }
    async inspect(subject, options) {
        const asks = await this.#asker.asksForOne(await this.#choose('inspect', subject, options), subject);
        const claims = claimsOf(asks);
        // Whoever looks wants to know what is there, and not what is thought in the meantime.
        const answer = claims.length === 0 ? NOTHING_ASKED : await this.#given.peek(claims);
        const outcomes = outcomesOf(asks, answer);
        const recorded = await Promise.all(asks.map(({ claim }) => (claim ? this.#given.inspect(claim.key) : [])));
        return outcomes.map((outcome, index) => ({ outcome, recorded: recorded[index] }));
    }
    policies(decision) {
        return policiesOf(this, decision);
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
            return decided instanceof Later ? decided.promise() : decided;
        }
        catch (error) {
            // Whoever awaits has one way of being told.
            return Promise.reject(error);
        }
    }
    #answer(verb, asks) {
        const claims = claimsOf(asks);
        if (verb === 'peek') {
            return proceed(this.#ask('peek', claims), (answer) => toDecision(outcomesOf(asks, answer), answer.source, answer.fallback));
        }
        const isRefused = claims.length < asks.length && asks.some(refuses);
        return proceed(isRefused ? this.#refuse(claims) : this.#ask('consume', claims), (answer) => {
            const decision = decisionOf(this, asks, answer);
            if (channels.decision.hasSubscribers)
                channels.decision.publish({ decision });
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
        return proceed(both(charging, this.#ask('peek', claims)), ([charged, peeked]) => ({
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
            throw new UsageError('USAGE_INVALID', `${owner}: tiers must be an array, got ${show(names)}`);
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
    return isPromise(one) || isPromise(other) ? Promise.all([one, other]) : [one, other];
}
/** @throws UsageError also for what would be overlooked: `consume(subject, 3)`, `{ costs: 3 }` */
function costOf(options) {
    if (options === undefined || options === null)
        return 1;
    if (typeof options !== 'object')
        throw new UsageError('USAGE_INVALID', `options must be { cost }, got ${show(options)}`);
    for (const name in options) {
        if (name !== 'cost')
            throw new UsageError('USAGE_INVALID', `options must be { cost }, got the option ${show(name)}`);
    }
    const { cost = 1 } = options;
    checkUnits('cost', cost);
    return cost;
}
function checkNames(owner, names, known = names) {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown === undefined)
        return;
    throw new UsageError('USAGE_INVALID', `${owner}: tiers must name tiers of this limiter (${known.join(', ')}), got ${show(unknown)}`);
}
function checkUnits(owner, units) {
    if (typeof units === 'number' && Number.isSafeInteger(units) && units >= 0)
        return;
    throw new UsageError('COST_INVALID', `${owner} must be an integer of at least 0, got ${show(units)}`);
}
//# sourceMappingURL=limiter.js.map