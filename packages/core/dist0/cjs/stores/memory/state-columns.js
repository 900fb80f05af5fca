"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.StateColumns = void 0;
const PAIR = 1;
const RING = 2;
const OBJECT = 3;
/**
 * States by slot. Of nearly all algorithms a state is two or three numbers: those are kept in 16 bytes without an
 * object. What does not fit there (long rings, logs) is kept as it is.
 */
class StateColumns {
    /** Two numbers a slot. */
    #numbers;
    /** The same memory, in halves: the counts of a ring of two slots, each below 2^32, share the second number. */
    #halves;
    #kinds;
    #objects = new Map();
    constructor(capacity) {
        this.#numbers = new Float64Array(capacity * 2);
        this.#halves = new Uint32Array(this.#numbers.buffer);
        this.#kinds = new Uint8Array(capacity);
    }
    /** States that take an object. */
    get objects() {
        return this.#objects.size;
    }
    read(slot) {
        const kind = this.#kinds[slot];
        if (kind === OBJECT)
            return this.#objects.get(slot);
        const first = this.#numbers[slot * 2];
        if (kind === PAIR)
            return [first, this.#numbers[slot * 2 + 1]];
        return [first, this.#halves[slot * 4 + 2], this.#halves[slot * 4 + 3]];
    }
    write(slot, state) {
        if (this.#kinds[slot] === OBJECT)
            this.#objects.delete(slot);
        const kind = kindOf(state);
        this.#kinds[slot] = kind;
        if (kind === OBJECT) {
            this.#objects.set(slot, state);
            return;
        }
        const [first, second, third] = state;
        this.#numbers[slot * 2] = first;
        if (kind === PAIR) {
            this.#numbers[slot * 2 + 1] = second;
            return;
        }
        this.#halves[slot * 4 + 2] = second;
        this.#halves[slot * 4 + 3] = third;
    }
    clear(slot) {
        this.#objects.delete(slot);
        this.#kinds[slot] = 0;
    }
    grow(capacity) {
        const numbers = new Float64Array(capacity * 2);
        const kinds = new Uint8Array(capacity);
        numbers.set(this.#numbers);
        kinds.set(this.#kinds);
        this.#numbers = numbers;
        this.#halves = new Uint32Array(numbers.buffer);
        this.#kinds = kinds;
    }
}
exports.StateColumns = StateColumns;
function kindOf(state) {
    if (!Array.isArray(state))
        return OBJECT;
    if (state.length === 2)
        return PAIR;
    return state.length === 3 && isHalf(state[1]) && isHalf(state[2]) ? RING : OBJECT;
}
function isHalf(number) {
    return number >>> 0 === number;
}
//# sourceMappingURL=state-columns.js.map