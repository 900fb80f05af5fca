"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.memoryStore = memoryStore;
exports.isMemoryStore = isMemoryStore;
const group_js_1 = require("../../algorithms/group.js");
const index_js_1 = require("../../algorithms/index.js");
const errors_js_1 = require("../../model/errors.js");
const option_reader_js_1 = require("../../model/option-reader.js");
const answer_js_1 = require("../answer.js");
const key_index_js_1 = require("./key-index.js");
const key_table_js_1 = require("./key-table.js");
const seats_js_1 = require("./seats.js");
/**
 * Keeps state in memory: for one process, and for the time that Redis is away.
 *
 * @throws ConfigError
 */
function memoryStore(options = {}) {
    const reader = new option_reader_js_1.OptionReader('memoryStore', options, ['maxKeys', 'clock']);
    const maxKeys = reader.integer('OPTION_INVALID', 'maxKeys', { min: 16, max: 2 ** 24, otherwise: 100_000 });
    const { clock = processClock } = options;
    if (typeof clock !== 'function')
        throw reader.fail('OPTION_INVALID', 'clock', 'must be a function');
    const told = clock();
    if (typeof told !== 'number' || !Number.isSafeInteger(microsecondsOf(told))) {
        throw reader.fail('OPTION_INVALID', 'clock', `must return milliseconds since 1970 and returned ${(0, option_reader_js_1.show)(told)}`);
    }
    return new TableStore(maxKeys, clock);
}
/** True for a store of this copy of the package that keeps state in memory. */
function isMemoryStore(store) {
    return store instanceof TableStore;
}
// Asked once: asking takes longer than the clock itself.
const { timeOrigin } = performance;
function processClock() {
    return timeOrigin + performance.now();
}
function microsecondsOf(milliseconds) {
    // Rounded, for 0.007 * 1000 is not quite 7.
    return Math.round(milliseconds * 1e3);
}
/** Keys that are due for each claim: more than it can add or put off, so that memory shrinks to what lives. */
const LOOKS = 2;
class TableStore {
    #clock;
    #maxKeys;
    #table;
    #seats;
    #closed = false;
    constructor(maxKeys, clock) {
        this.#maxKeys = maxKeys;
        this.#clock = clock;
        this.#table = new key_table_js_1.KeyTable(maxKeys);
        this.#seats = new seats_js_1.Seats(this.#table);
    }
    get size() {
        return this.#table.size;
    }
    consume(group) {
        const now = this.#now();
        const isAlone = group.length === 1 && this.#table.free > 0;
        const answer = isAlone ? this.#consumeAlone(group, now) : this.#consumeTogether(group, now);
        this.#table.tidy(now, group.length * LOOKS);
        return answer;
    }
    peek(group) {
        const now = this.#now();
        const seating = this.#seats.take(group, now);
        const candidates = this.#candidates(seating);
        (0, group_js_1.peekGroup)(candidates, now);
        return (0, answer_js_1.toAnswer)(seating.claims, candidates.map(rulingOf), now, 'memory');
    }
    refund(receipts) {
        const now = this.#now();
        let given = 0;
        for (const receipt of receipts)
            given += this.#refund(receipt, now);
        return given;
    }
    reset(keys) {
        this.#assertOpen();
        for (const key of keys) {
            const slot = this.#table.find(key);
            if (slot !== key_index_js_1.NONE)
                this.#table.remove(slot);
        }
    }
    inspect(key) {
        const now = this.#now();
        const slot = this.#table.find(key);
        return slot !== key_index_js_1.NONE && this.#table.deadlineOf(slot) > now ? this.#table.notesOf(slot) : [];
    }
    close() {
        this.#closed = true;
        this.#table = new key_table_js_1.KeyTable(this.#maxKeys);
        this.#seats = new seats_js_1.Seats(this.#table);
    }
    #now() {
        this.#assertOpen();
        return microsecondsOf(this.#clock());
    }
    #assertOpen() {
        if (this.#closed)
            throw new errors_js_1.StoreError('STORE_CLOSED', 'the memory store is closed');
    }
    /** The short way, which most requests take: one claim, and room for its key. */
    #consumeAlone(group, now) {
        const claim = group[0];
        const slot = this.#table.find(claim.key);
        const alone = (0, group_js_1.candidate)(claim, this.#seats.stateAt(slot, claim));
        (0, group_js_1.consumeGroup)([alone], now);
        if (alone.changed) {
            const kept = this.#seats.keepAt(slot, claim, { state: alone.state, now });
            if (isAdmitted(alone))
                this.#record(kept, alone);
        }
        return (0, answer_js_1.toAnswer)(group, [alone.ruling], now, 'memory');
    }
    #consumeTogether(group, now) {
        const seating = this.#seats.take(group, now);
        const candidates = this.#candidates(seating);
        (0, group_js_1.consumeGroup)(candidates, now);
        const admitted = candidates.every(isAdmitted);
        for (let index = 0; index < candidates.length; index += 1) {
            const each = candidates[index];
            if (!each.changed)
                continue;
            const slot = this.#seats.keep(seating, index, { state: each.state, now });
            if (admitted)
                this.#record(slot, each);
        }
        return (0, answer_js_1.toAnswer)(seating.claims, candidates.map(rulingOf), now, 'memory');
    }
    #candidates(seating) {
        return seating.claims.map((claim, index) => (0, group_js_1.candidate)(claim, this.#seats.stored(seating, index)));
    }
    #record(slot, { claim, charged }) {
        if (slot === key_index_js_1.NONE || claim.record === undefined || charged === 0)
            return;
        this.#table.note(slot, claim.record);
    }
    #refund(receipt, now) {
        const { policy } = receipt;
        const stored = this.#seats.stateOf(receipt);
        if (stored === undefined)
            return 0;
        const ticks = Math.floor(now / policy.tick);
        const { state, given } = (0, index_js_1.algorithmOf)(policy).refund(stored, ticks, policy, receipt);
        if (given > 0)
            this.#seats.rewrite(receipt, state, now);
        return given;
    }
}
function isAdmitted({ claim, wait }) {
    return claim.shadow || wait === 0;
}
function rulingOf({ ruling }) {
    return ruling;
}
//# sourceMappingURL=memory-store.js.map