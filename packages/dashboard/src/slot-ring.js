/** Counts in slots of equal length. It needs no timer: it moves on when it is counted or read. */
export class SlotRing {
    #step;
    /** One more than is read: the slot that counts now is not full. */
    #counts;
    #slot = 0;
    /** @param step the length of a slot, in milliseconds */
    constructor(step, slots) {
        this.#step = step;
        this.#counts = new Float64Array(slots + 1);
    }
    /** @param now milliseconds since the start; the slot before the newest one can still be counted in */
    count(now, count = 1) {
        this.#moveTo(now);
        this.#counts[Math.floor(now / this.#step) % this.#counts.length] += count;
    }
    /**
     * The newest full slots, oldest first.
     *
     * @param slots fewer than all
     */
    read(now, slots = this.#counts.length - 1) {
        this.#moveTo(now);
        const { length } = this.#counts;
        const first = this.#slot + length - slots;
        return Array.from({ length: slots }, (_, index) => this.#counts[(first + index) % length]);
    }
    #moveTo(now) {
        const slot = Math.floor(now / this.#step);
        const { length } = this.#counts;
        for (let next = Math.max(this.#slot + 1, slot - length + 1); next <= slot; next += 1) {
            this.#counts[next % length] = 0;
        }
        this.#slot = Math.max(this.#slot, slot);
    }
}
