/** A map that forgets what is oldest when it has become too large, half of what it holds at a time. */
export class Recent {
    #half;
    #young = new Map();
    #old = new Map();
    /** @param size entries that it holds at most */
    constructor(size) {
        this.#half = size / 2;
    }
    get isEmpty() {
        return this.#young.size === 0 && this.#old.size === 0;
    }
    get(key) {
        return this.#young.get(key) ?? this.#old.get(key);
    }
    set(key, value) {
        this.#young.set(key, value);
        if (this.#young.size < this.#half)
            return;
        this.#old = this.#young;
        this.#young = new Map();
    }
    delete(key) {
        this.#young.delete(key);
        this.#old.delete(key);
    }
}
//# sourceMappingURL=recent.js.map