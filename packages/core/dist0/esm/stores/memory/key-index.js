/** No slot. */
export const NONE = -1;
/** The low bits of a bucket: slot + 1, at most 2^24. */
const SLOT = 2 ** 25 - 1;
/** The others: those bits of the hash that its place says least about. */
const TAG = ~SLOT;
/**
 * Finds the slot of a key: a hash table with open addressing over slots that somebody else hands out. A Map from keys
 * to slots, with the array of keys that leads back, takes 20 bytes a key more and twice the time for the keys that a
 * limiter joins anew for each request, whose hashes V8 has not seen.
 */
export class KeyIndex {
    /** Seeded, so that nobody can prepare keys that collide. */
    #seed = Math.floor(Math.random() * 2 ** 32);
    /**
     * Slot + 1 where a key has hashed to, and a part of its hash, so that keys are looked at that are nearly always the
     * right one; 0 is empty. At most half are taken.
     */
    #buckets;
    #keys = [];
    #hashes;
    constructor(capacity) {
        this.#buckets = new Uint32Array(bucketsFor(capacity));
        this.#hashes = new Uint32Array(capacity);
    }
    find(key) {
        const mask = this.#buckets.length - 1;
        const hash = hashOf(key, this.#seed);
        for (let bucket = hash & mask;; bucket = (bucket + 1) & mask) {
            const entry = this.#buckets[bucket];
            if (entry === 0)
                return NONE;
            if (((entry ^ hash) & TAG) !== 0)
                continue;
            const slot = (entry & SLOT) - 1;
            if (this.#keys[slot] === key)
                return slot;
        }
    }
    keyOf(slot) {
        return this.#keys[slot];
    }
    /** Adds a key that is not there. */
    add(key, slot) {
        this.#keys[slot] = key;
        this.#hashes[slot] = hashOf(key, this.#seed);
        this.#place(slot);
    }
    remove(slot) {
        const mask = this.#buckets.length - 1;
        let hole = this.#hashes[slot] & mask;
        while ((this.#buckets[hole] & SLOT) !== slot + 1)
            hole = (hole + 1) & mask;
        // Whoever stands behind the hole and could not be found across it moves into it, which leaves no tombstones.
        for (let bucket = (hole + 1) & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
            const home = this.#hashes[(this.#buckets[bucket] & SLOT) - 1] & mask;
            if (((bucket - home) & mask) < ((bucket - hole) & mask))
                continue;
            this.#buckets[hole] = this.#buckets[bucket];
            hole = bucket;
        }
        this.#buckets[hole] = 0;
        this.#keys[slot] = undefined;
    }
    grow(capacity) {
        const before = this.#buckets;
        const hashes = new Uint32Array(capacity);
        hashes.set(this.#hashes);
        this.#hashes = hashes;
        // Reserves what is needed, where adding one by one reserves half as much again.
        this.#keys.length = capacity;
        this.#buckets = new Uint32Array(bucketsFor(capacity));
        for (const each of before) {
            if (each > 0)
                this.#place((each & SLOT) - 1);
        }
    }
    #place(slot) {
        const mask = this.#buckets.length - 1;
        const hash = this.#hashes[slot];
        let bucket = hash & mask;
        while (this.#buckets[bucket] !== 0)
            bucket = (bucket + 1) & mask;
        this.#buckets[bucket] = (hash & TAG) | (slot + 1);
    }
}
function bucketsFor(capacity) {
    return 2 ** Math.ceil(Math.log2(capacity * 2));
}
/** FNV-1a over the text, then the finish of MurmurHash3, so that its low bits depend on all of it. */
function hashOf(key, seed) {
    let hash = seed;
    for (let index = 0; index < key.length; index += 1)
        hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
}
//# sourceMappingURL=key-index.js.map