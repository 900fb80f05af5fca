"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.withLease = withLease;
const is_promise_js_1 = require("../../model/is-promise.js");
const proceed_js_1 = require("../../model/proceed.js");
const policy_js_1 = require("../../model/policy.js");
const leased_key_js_1 = require("./leased-key.js");
/** Keys that units are fetched for at most: more than that cannot all be hot. */
const KEYS_MAX = 10_000;
/** Milliseconds between two looks at what has expired, at least and at most. */
const SWEEP_MIN = 10;
const SWEEP_MAX = 1_000;
/**
 * Spends units here that were charged before, so that a hot key asks its store once for many requests. What is admitted
 * was charged, so no more than the limit is admitted in the long run; in any window at most `max` units more for each
 * process.
 */
function withLease(store, surroundings = {}) {
    return new Leasing(store, surroundings);
}
class Leasing {
    #store;
    #source;
    #onMore;
    #clock;
    #keys = new Map();
    #fetches = new Set();
    #timer;
    #wakesAt = Infinity;
    constructor(store, { source = store, onMore = () => undefined, clock }) {
        this.#store = store;
        this.#source = source;
        this.#onMore = onMore;
        this.#clock = clock ?? (() => performance.now());
    }
    consume(group) {
        if (!group.some(isLeased))
            return this.#store.consume(group);
        const now = this.#clock();
        if (group.length === 1)
            return this.#consumeOne(group, now);
        const served = [];
        const hot = [];
        for (const claim of group) {
            const leased = isLeased(claim) ? this.#leasedKey(claim) : undefined;
            if (leased === undefined)
                continue;
            const taken = leased.take(claim, now);
            if (taken)
                served.push({ claim, leased, taken });
            hot.push({ claim, leased });
        }
        const answer = served.length === 0 ? this.#store.consume(group) : this.#serve(group, served, now);
        // After the request itself, which they share a call with.
        for (const each of hot)
            this.#fetch(each, now);
        return answer;
    }
    /** A request of one tier has nobody to wait for. */
    #consumeOne(group, now) {
        const claim = group[0];
        const leased = this.#leasedKey(claim);
        if (leased === undefined)
            return this.#store.consume(group);
        const taken = leased.take(claim, now);
        let answer;
        if (taken) {
            leased.spent(taken);
            answer = { outcomes: [leased.outcome(claim, now)], receipts: [taken.receipt], source: 'lease' };
        }
        else
            answer = this.#store.consume(group);
        // After the request itself, which it shares a call with.
        this.#fetch({ claim, leased }, now);
        return answer;
    }
    peek(group) {
        const now = this.#clock();
        const served = [];
        for (const claim of group) {
            const leased = isLeased(claim) ? this.#keys.get(claim.key) : undefined;
            if (leased && (0, policy_js_1.samePolicy)(leased.policy, claim.policy) && leased.holds(claim.cost, now)) {
                served.push({ claim, leased });
            }
        }
        const others = withoutServed(group, served);
        return (0, proceed_js_1.proceed)(others.length === 0 ? ALL_SERVED : this.#store.peek(others), (answer) => served.length === 0 ? answer : merge(group, served, answer, now));
    }
    refund(receipts) {
        return this.#store.refund(receipts);
    }
    reset(keys) {
        for (const key of keys) {
            this.#keys.get(key)?.forget();
            this.#keys.delete(key);
        }
        return this.#store.reset(keys);
    }
    inspect(key) {
        return this.#store.inspect(key);
    }
    async release() {
        clearTimeout(this.#timer);
        this.#wakesAt = Infinity;
        const receipts = [...this.#keys.values()].flatMap((leased) => leased.retire());
        this.#keys.clear();
        await Promise.all([this.#giveBack(receipts), ...this.#fetches]);
    }
    async close() {
        await this.release();
        await this.#store.close();
    }
    /** Asks the store for the other tiers, if there are any, and puts back what was taken when they deny. */
    #serve(group, served, now) {
        const others = withoutServed(group, served);
        if (others.length === 0)
            return this.#settle(group, served, ALL_SERVED, now);
        const failed = (error) => {
            this.#putBack(served);
            throw error;
        };
        try {
            const answer = this.#store.consume(others);
            if (!(0, is_promise_js_1.isPromise)(answer))
                return this.#settle(group, served, answer, now);
            return Promise.resolve(answer).then((answered) => this.#settle(group, served, answered, now), failed);
        }
        catch (error) {
            return failed(error);
        }
    }
    #settle(group, served, answer, now) {
        const receipts = [];
        if (isAdmitted(answer)) {
            for (const { leased, taken } of served) {
                leased.spent(taken);
                receipts.push(taken.receipt);
            }
        }
        else
            this.#putBack(served);
        return merge(group, served, { ...answer, receipts: [...receipts, ...answer.receipts] }, now);
    }
    #putBack(served) {
        void this.#giveBack(served.flatMap(({ leased, taken }) => leased.putBack(taken, this.#clock())));
        this.#onMore(served.map(({ claim }) => claim.key));
    }
    #fetch({ claim, leased }, now) {
        const cost = leased.wanted(claim, now);
        if (cost === 0)
            return;
        leased.fetching(now);
        // As many as there are, whether that is all or not.
        const fetch = this.#arrival({ ...claim, cost, countDenied: true }, leased);
        this.#fetches.add(fetch);
        void fetch.then(() => this.#fetches.delete(fetch));
    }
    async #arrival(claim, leased) {
        try {
            const answer = await this.#source.consume([claim]);
            const back = leased.fetched(answer, claim);
            this.#sweepAt(leased.expires);
            this.#onMore([claim.key]);
            await this.#giveBack(back);
        }
        catch {
            // No request has failed: the next one asks the store, and is told.
            leased.failed();
        }
    }
    async #giveBack(receipts) {
        if (receipts.length === 0)
            return;
        try {
            await this.#store.refund(receipts);
        }
        catch {
            // The store was closed in the meantime: what it was not told of stays counted.
        }
        this.#onMore(receipts.map(({ key }) => key));
    }
    #leasedKey({ key, policy }) {
        const known = this.#keys.get(key);
        if (known && (0, policy_js_1.samePolicy)(known.policy, policy))
            return known;
        // Another limit holds from now on.
        if (known)
            void this.#giveBack(known.retire());
        else if (this.#keys.size >= KEYS_MAX && !this.#hasRoom())
            return undefined;
        const leased = new leased_key_js_1.LeasedKey(policy);
        this.#keys.set(key, leased);
        this.#sweepAt(this.#clock() + SWEEP_MAX);
        return leased;
    }
    /** Looks at the key that was looked at least recently, and drops it if it holds nothing. */
    #hasRoom() {
        const [key, leased] = this.#keys.entries().next().value;
        this.#keys.delete(key);
        if (leased.isEmpty)
            return true;
        this.#keys.set(key, leased);
        return false;
    }
    /** Nothing is kept up by it: what is in hand when a process ends stays counted. */
    #sweepAt(time) {
        const now = this.#clock();
        const pause = Math.min(SWEEP_MAX, Math.max(SWEEP_MIN, Math.ceil(time - now)));
        // What has expired just now does not put off what is due sooner.
        if (now + pause >= this.#wakesAt)
            return;
        clearTimeout(this.#timer);
        this.#wakesAt = now + pause;
        this.#timer = setTimeout(() => this.#sweep(), pause).unref();
    }
    #sweep() {
        this.#wakesAt = Infinity;
        const now = this.#clock();
        const receipts = [];
        let next = now + SWEEP_MAX;
        for (const [key, leased] of this.#keys) {
            receipts.push(...leased.giveUp(now));
            if (leased.isIdle(now))
                this.#keys.delete(key);
            else
                next = Math.min(next, leased.expires);
        }
        void this.#giveBack(receipts);
        if (this.#keys.size > 0)
            this.#sweepAt(next);
    }
}
/** No other tier has to be asked for. */
const ALL_SERVED = { outcomes: [], receipts: [], source: 'lease' };
function isLeased({ lease, cost, shadow, countDenied }) {
    return lease !== undefined && cost > 0 && cost <= lease.max && !shadow && !countDenied;
}
function isAdmitted({ fallback, outcomes }) {
    return fallback !== 'deny' && outcomes.every(({ allowed, shadow }) => allowed || shadow);
}
function withoutServed(group, served) {
    return served.length === 0 ? group : group.filter((claim) => !served.some((each) => each.claim === claim));
}
/** The outcomes of the whole group, in its order. */
function merge(group, served, answer, now) {
    let next = 0;
    const outcomes = group.flatMap((claim) => {
        const own = served.find((each) => each.claim === claim);
        if (own)
            return own.leased.outcome(claim, now);
        // An answer from elsewhere than the store leaves tiers out.
        return answer.outcomes[next]?.tier === claim.tier ? answer.outcomes[next++] : [];
    });
    return { ...answer, outcomes };
}
//# sourceMappingURL=with-lease.js.map