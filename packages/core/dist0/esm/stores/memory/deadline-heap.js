/**
 * Slots by deadline: a binary heap that knows where each slot stands, so that every deadline is in order at any time
 * and the first is the earliest. It hands the slots out itself: those that are free stand behind the heap.
 */
export class DeadlineHeap {
    /** Every slot once: first the heap, then the free. */
    #order;
    /** Where in the order each slot stands. */
    #places;
    #deadlines;
    #size = 0;
    constructor(capacity) {
        this.#order = slots(capacity);
        this.#places = slots(capacity);
        this.#deadlines = new Float64Array(capacity);
    }
    get size() {
        return this.#size;
    }
    /** The slot at a place: place 0 has the earliest deadline. */
    at(place) {
        return this.#order[place];
    }
    deadlineOf(slot) {
        return this.#deadlines[slot];
    }
    /** Takes a free slot. There has to be one. */
    add(deadline) {
        const place = this.#size;
        const slot = this.#order[place];
        this.#size += 1;
        this.#deadlines[slot] = deadline;
        this.#rise(slot, place);
        return slot;
    }
    move(slot, deadline) {
        const before = this.#deadlines[slot];
        if (deadline === before)
            return;
        this.#deadlines[slot] = deadline;
        if (deadline < before)
            this.#rise(slot, this.#places[slot]);
        else
            this.#sink(slot, this.#places[slot]);
    }
    remove(slot) {
        const place = this.#places[slot];
        this.#size -= 1;
        const last = this.#order[this.#size];
        this.#put(slot, this.#size);
        if (last === slot)
            return;
        this.#put(last, place);
        this.#rise(last, place);
        this.#sink(last, this.#places[last]);
    }
    grow(capacity) {
        const order = slots(capacity);
        const places = slots(capacity);
        const deadlines = new Float64Array(capacity);
        order.set(this.#order);
        places.set(this.#places);
        deadlines.set(this.#deadlines);
        this.#order = order;
        this.#places = places;
        this.#deadlines = deadlines;
    }
    #rise(slot, from) {
        const deadline = this.#deadlines[slot];
        let place = from;
        while (place > 0) {
            const parent = this.#order[(place - 1) >>> 1];
            if (this.#deadlines[parent] <= deadline)
                break;
            this.#put(parent, place);
            place = (place - 1) >>> 1;
        }
        this.#put(slot, place);
    }
    #sink(slot, from) {
        const deadline = this.#deadlines[slot];
        let place = from;
        for (let child = place * 2 + 1; child < this.#size; child = place * 2 + 1) {
            const right = child + 1;
            if (right < this.#size && this.#deadlines[this.#order[right]] < this.#deadlines[this.#order[child]])
                child = right;
            if (this.#deadlines[this.#order[child]] >= deadline)
                break;
            this.#put(this.#order[child], place);
            place = child;
        }
        this.#put(slot, place);
    }
    #put(slot, place) {
        this.#order[place] = slot;
        this.#places[slot] = place;
    }
}
function slots(capacity) {
    const numbers = new Uint32Array(capacity);
    for (let slot = 0; slot < capacity; slot += 1)
        numbers[slot] = slot;
    return numbers;
}
//# sourceMappingURL=deadline-heap.js.map