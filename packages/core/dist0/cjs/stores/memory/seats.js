"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Seats = void 0;
const fullest_js_1 = require("./fullest.js");
const key_index_js_1 = require("./key-index.js");
const overflow_js_1 = require("./overflow.js");
const OVERFLOW = -2;
const NOBODY = [];
/** Says where each claim is kept: in the table, or where there is no room, in the overflow of its tier. */
class Seats {
    #table;
    #overflow = new overflow_js_1.Overflow();
    constructor(table) {
        this.#table = table;
    }
    /** Before claims are decided: a key without room is decided on the overflow. No key that lives is given up yet. */
    take(group, now) {
        const table = this.#table;
        // Done before slots are looked up, so that none of them is freed under way.
        if (table.free < group.length)
            table.sweep(now, group.length - table.free);
        const slots = group.map(({ key }) => table.find(key));
        return table.free < group.length
            ? this.#seatAtTheBound(group, slots, now)
            : { claims: group, slots, victims: NOBODY };
    }
    /** What is kept for a claim that has been seated. */
    stored({ claims, slots }, index) {
        const slot = slots[index];
        if (slot === OVERFLOW)
            return this.#overflow.stateFor(claims[index]);
        return this.stateAt(slot, claims[index]);
    }
    /** After they are decided. Returns the slot that the state is kept in, NONE in the overflow. */
    keep({ claims, slots, victims }, index, { state, now }) {
        const table = this.#table;
        const claim = claims[index];
        const slot = slots[index];
        if (slot === OVERFLOW) {
            this.#overflow.write(claim, state, now);
            return key_index_js_1.NONE;
        }
        // A request may ask twice for one key: then the first has added it.
        const known = slot === key_index_js_1.NONE ? table.find(claim.key) : slot;
        if (known === key_index_js_1.NONE && table.free === 0)
            table.remove(victims[index]);
        return this.keepAt(known, claim, { state, now });
    }
    /** Keeps the state of a claim in its slot, or in a new one, and returns it. There has to be room. */
    keepAt(slot, { key, policy }, { state, now }) {
        const table = this.#table;
        if (slot === key_index_js_1.NONE)
            return table.add(key, policy, state);
        table.dropExpiredNotes(slot, now);
        table.write(slot, policy, state);
        return slot;
    }
    /** The state that an owner has, wherever it is kept. */
    stateOf(owner) {
        const slot = this.#table.find(owner.key);
        return slot === key_index_js_1.NONE ? this.#overflow.stateFor(owner) : this.stateAt(slot, owner);
    }
    /** Replaces the state that an owner has. */
    rewrite(owner, state, now) {
        const slot = this.#table.find(owner.key);
        if (slot === key_index_js_1.NONE)
            this.#overflow.write(owner, state, now);
        else
            this.#table.write(slot, owner.policy, state);
    }
    /** Where not every claim may find room: those that come first do. */
    #seatAtTheBound(group, found, now) {
        let { free } = this.#table;
        const claims = [...group];
        const slots = [...found];
        const victims = group.map(() => key_index_js_1.NONE);
        for (const [index, claim] of group.entries()) {
            if (slots[index] !== key_index_js_1.NONE)
                continue;
            if (free > 0) {
                free -= 1;
                continue;
            }
            victims[index] = (0, fullest_js_1.fullest)(this.#table, now, [...found, ...victims]);
            if (victims[index] !== key_index_js_1.NONE)
                continue;
            claims[index] = this.#overflow.redirect(claim);
            slots[index] = OVERFLOW;
        }
        return { claims, slots, victims };
    }
    /** The state in the slot of an owner; NONE has none. */
    stateAt(slot, { policy }) {
        if (slot === key_index_js_1.NONE)
            return undefined;
        const kept = this.#table.policyOf(slot);
        // State of other dimensions counts something else: it is as good as none.
        return kept === policy || kept.dimensions === policy.dimensions ? this.#table.stateOf(slot) : undefined;
    }
}
exports.Seats = Seats;
//# sourceMappingURL=seats.js.map