/** No slot. */
export const NONE = -1;

/** A bucket holds slot + 1 in its low 25 bits, and the hash bits above them in the others. 0 is an empty bucket. */
const SLOT = 2 ** 25 - 1;
const TAG = ~SLOT;

/** Up to so many keys, a Map fits into the cache of a processor. */
const MAX_MAPPED_KEYS = 2 ** 15;

/**
 * Finds the slot of a key. A Map is fastest for few keys, because V8 stores the hash of a string with it. For many keys
 * a hash table with open addressing waits for memory less often, and takes 20 bytes a key less.
 */
export class KeyIndex {
  /** The slots of few keys. Undefined when there are many. */
  #map: Map<string, number> | undefined;
  readonly #maxMapped: number;
  /** Random, so that a client cannot prepare keys that collide. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  /** At most half of them are full. */
  #buckets = new Uint32Array();
  readonly #keys: (string | undefined)[] = [];
  #hashes = new Uint32Array();

  constructor(capacity: number, maxMapped: number = MAX_MAPPED_KEYS) {
    this.#maxMapped = maxMapped;
    if (capacity <= maxMapped) this.#map = new Map();
    else this.#allocate(capacity);
  }

  find(key: string): number {
    return this.#map ? (this.#map.get(key) ?? NONE) : this.#probe(key);
  }

  /** Whether a slot has this key. */
  isAt(slot: number, key: string): boolean {
    return this.#keys[slot] === key;
  }

  /** Adds a key that is not in the index. */
  add(key: string, slot: number): void {
    this.#keys[slot] = key;
    if (this.#map) this.#map.set(key, slot);
    else this.#insert(key, slot);
  }

  remove(slot: number): void {
    if (this.#map) this.#map.delete(this.#keys[slot]!);
    else this.#erase(slot);
    this.#keys[slot] = undefined;
  }

  grow(capacity: number): void {
    // Reserves as much as needed. An array that grows on demand reserves half as much again.
    this.#keys.length = capacity;
    if (this.#map) {
      if (capacity <= this.#maxMapped) return;
      const mapped = this.#map;
      this.#map = undefined;
      this.#allocate(capacity);
      for (const [key, slot] of mapped) this.#insert(key, slot);
      return;
    }
    const entries = this.#buckets;
    this.#allocate(capacity);
    for (const entry of entries) if (entry > 0) this.#place((entry & SLOT) - 1);
  }

  #allocate(capacity: number): void {
    const hashes = new Uint32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#buckets = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
  }

  #probe(key: string): number {
    const mask = this.#buckets.length - 1;
    const hash = hashOf(key, this.#seed);
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const entry = this.#buckets[bucket]!;
      if (entry === 0) return NONE;
      // The tag spares nearly all comparisons with other keys.
      if (((entry ^ hash) & TAG) !== 0) continue;
      const slot = (entry & SLOT) - 1;
      if (this.#keys[slot] === key) return slot;
    }
  }

  #insert(key: string, slot: number): void {
    this.#hashes[slot] = hashOf(key, this.#seed);
    this.#place(slot);
  }

  #place(slot: number): void {
    const mask = this.#buckets.length - 1;
    const hash = this.#hashes[slot]!;
    let bucket = hash & mask;
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket] = (hash & TAG) | (slot + 1);
  }

  #erase(slot: number): void {
    const mask = this.#buckets.length - 1;
    let hole = this.#hashes[slot]! & mask;
    while ((this.#buckets[hole]! & SLOT) !== slot + 1) hole = (hole + 1) & mask;
    // Entries behind the hole that are found by probing across it move into it, so that no tombstones remain.
    for (let bucket = (hole + 1) & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const home = this.#hashes[(this.#buckets[bucket]! & SLOT) - 1]! & mask;
      if (((bucket - home) & mask) < ((bucket - hole) & mask)) continue;
      this.#buckets[hole] = this.#buckets[bucket]!;
      hole = bucket;
    }
    this.#buckets[hole] = 0;
  }
}

/** FNV-1a over the text, then the finalizer of MurmurHash3, which makes the low bits depend on the whole text. */
function hashOf(key: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
