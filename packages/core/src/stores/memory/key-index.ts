/** No slot. */
export const NONE = -1;

/** The low bits of a bucket: slot + 1, at most 2^24. */
const SLOT = 2 ** 25 - 1;
/** The others: those bits of the hash that its place says least about. */
const TAG = ~SLOT;

/** Slots up to which keys are found by a Map. */
const FEW = 2 ** 15;

/**
 * Finds the slot of a key, over slots that somebody else hands out. A Map is fastest as long as a processor's cache holds
 * it: limiters bring the same texts again, and V8 keeps their hashes. Beyond that a hash table with open addressing waits
 * for memory less often, and takes 20 bytes a key less.
 */
export class KeyIndex {
  /** The slots of few keys; undefined when they have become many. */
  #few: Map<string, number> | undefined;
  readonly #most: number;
  /** Seeded, so that nobody can prepare keys that collide. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  /**
   * Slot + 1 where a key has hashed to, and a part of its hash, so that keys are looked at that are nearly always the
   * right one; 0 is empty. At most half are taken.
   */
  #buckets = new Uint32Array();
  readonly #keys: (string | undefined)[] = [];
  #hashes = new Uint32Array();

  /** @param few slots up to which keys are few */
  constructor(capacity: number, few: number = FEW) {
    this.#most = few;
    if (capacity <= few) this.#few = new Map();
    else this.#reserve(capacity);
  }

  find(key: string): number {
    return this.#few ? (this.#few.get(key) ?? NONE) : this.#probe(key);
  }

  #probe(key: string): number {
    const mask = this.#buckets.length - 1;
    const hash = hashOf(key, this.#seed);
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const entry = this.#buckets[bucket]!;
      if (entry === 0) return NONE;
      if (((entry ^ hash) & TAG) !== 0) continue;
      const slot = (entry & SLOT) - 1;
      if (this.#keys[slot] === key) return slot;
    }
  }

  keyOf(slot: number): string {
    return this.#keys[slot]!;
  }

  /** Adds a key that is not there. */
  add(key: string, slot: number): void {
    this.#keys[slot] = key;
    if (this.#few) this.#few.set(key, slot);
    else this.#hang(key, slot);
  }

  #hang(key: string, slot: number): void {
    this.#hashes[slot] = hashOf(key, this.#seed);
    this.#place(slot);
  }

  remove(slot: number): void {
    if (this.#few) this.#few.delete(this.#keys[slot]!);
    else this.#unhang(slot);
    this.#keys[slot] = undefined;
  }

  #unhang(slot: number): void {
    const mask = this.#buckets.length - 1;
    let hole = this.#hashes[slot]! & mask;
    while ((this.#buckets[hole]! & SLOT) !== slot + 1) hole = (hole + 1) & mask;
    // Whoever stands behind the hole and could not be found across it moves into it, which leaves no tombstones.
    for (let bucket = (hole + 1) & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const home = this.#hashes[(this.#buckets[bucket]! & SLOT) - 1]! & mask;
      if (((bucket - home) & mask) < ((bucket - hole) & mask)) continue;
      this.#buckets[hole] = this.#buckets[bucket]!;
      hole = bucket;
    }
    this.#buckets[hole] = 0;
  }

  grow(capacity: number): void {
    // Reserves what is needed, where adding one by one reserves half as much again.
    this.#keys.length = capacity;
    if (this.#few) {
      if (capacity > this.#most) this.#becomeMany(this.#few, capacity);
      return;
    }
    const before = this.#buckets;
    this.#reserve(capacity);
    for (const each of before) {
      if (each > 0) this.#place((each & SLOT) - 1);
    }
  }

  #becomeMany(few: ReadonlyMap<string, number>, capacity: number): void {
    this.#few = undefined;
    this.#reserve(capacity);
    for (const [key, slot] of few) this.#hang(key, slot);
  }

  #reserve(capacity: number): void {
    const hashes = new Uint32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#buckets = new Uint32Array(bucketsFor(capacity));
  }

  #place(slot: number): void {
    const mask = this.#buckets.length - 1;
    const hash = this.#hashes[slot]!;
    let bucket = hash & mask;
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket] = (hash & TAG) | (slot + 1);
  }
}

function bucketsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(capacity * 2));
}

/** FNV-1a over the text, then the finish of MurmurHash3, so that its low bits depend on all of it. */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
