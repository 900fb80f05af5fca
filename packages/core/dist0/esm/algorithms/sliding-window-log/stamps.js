/**
 * Times in ascending order, as an immutable view over an array that its newest view may grow: adding and dropping take
 * constant time, and older views stay what they were.
 */
export class Stamps {
    #shared;
    #first;
    length;
    constructor(shared, first, length) {
        this.#shared = shared;
        this.#first = first;
        this.length = length;
    }
    at(index) {
        return this.#shared[this.#first + index];
    }
    drop(count) {
        return count === 0 ? this : new Stamps(this.#shared, this.#first + count, this.length - count);
    }
    add(stamp, count) {
        const shared = this.#growable();
        const first = shared === this.#shared ? this.#first : 0;
        for (let index = 0; index < count; index += 1)
            shared.push(stamp);
        return new Stamps(shared, first, this.length + count);
    }
    /** Removes at most `count` of the entries of one stamp. */
    remove(stamp, count) {
        const found = this.#shared.indexOf(stamp, this.#first);
        if (found < 0 || found >= this.#end)
            return { stamps: this, removed: 0 };
        const all = this.#shared.slice(this.#first, this.#end);
        const start = found - this.#first;
        const removed = all.splice(start, Math.min(count, all.lastIndexOf(stamp) - start + 1)).length;
        return { stamps: new Stamps(all, 0, all.length), removed };
    }
    get #end() {
        return this.#first + this.length;
    }
    #growable() {
        // Somebody has added to an older view of this array: leave it to them.
        const ours = this.#shared.length === this.#end;
        // More than half of the array is behind us: the copy is paid for by the drops that it took to get here. Made here and
        // not by `drop`, whose view a check that charges nothing throws away.
        const stale = this.#first > 32 && this.#first > this.length;
        return ours && !stale ? this.#shared : this.#shared.slice(this.#first, this.#end);
    }
}
//# sourceMappingURL=stamps.js.map