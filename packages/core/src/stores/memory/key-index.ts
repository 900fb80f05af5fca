/** No row, and no slot. */
export const NONE = -1;

/** A bucket holds row + 1 in its low 25 bits, and the hash bits above them in the others. 0 is an empty bucket. */
const ROW = 2 ** 25 - 1;
const TAG = ~ROW;

/** Up to so many rows, a Map fits into the cache of a processor. */
const MAX_MAPPED_ROWS = 2 ** 15;

/**
 * Finds the row of a key. A Map is fastest for few keys, because V8 stores the hash of a string with it. For many keys a hash
 * table with open addressing waits for memory less often, and takes 20 bytes a key less.
 */
export class KeyIndex {
  /** The rows of a table with few keys. It is undefined for a table with many keys. */
  #map: Map<string, number> | undefined = new Map();
  readonly #maxMapped: number;
  /** By row. Of the records. */
  readonly #keys: readonly (string | undefined)[];
  /** Random, so that a client cannot prepare keys that collide. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  /** At most half of them are full. */
  #buckets = new Uint32Array();
  #hashes = new Uint32Array();
  // A key that is not found is added next.
  #latestKey: string | undefined;
  #latestHash = 0;

  constructor(rows: number, keys: readonly (string | undefined)[], maxMapped: number = MAX_MAPPED_ROWS) {
    this.#keys = keys;
    this.#maxMapped = maxMapped;
    this.grow(rows);
  }

  find(key: string): number {
    return this.#map ? (this.#map.get(key) ?? NONE) : this.#probe(key);
  }

  #probe(key: string): number {
    const mask = this.#buckets.length - 1;
    const hash = this.#hashOf(key);
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const entry = this.#buckets[bucket]!;
      if (entry === 0) return NONE;
      // The tag spares nearly all comparisons with other keys.
      if (((entry ^ hash) & TAG) !== 0) continue;
      const row = (entry & ROW) - 1;
      if (this.#keys[row] === key) return row;
    }
  }

  /** Adds a row, whose key is not in the index. */
  add(row: number): void {
    if (this.#map) this.#map.set(this.#keys[row]!, row);
    else this.#insert(row);
  }

  /** Removes a row, which still has its key. */
  remove(row: number): void {
    if (this.#map) this.#map.delete(this.#keys[row]!);
    else this.#erase(row);
  }

  grow(rows: number): void {
    if (this.#map && rows <= this.#maxMapped) return;
    if (this.#map) {
      this.unmap(rows);
      return;
    }
    const entries = this.#buckets;
    this.#allocate(rows);
    for (const entry of entries) if (entry > 0) this.#place((entry & ROW) - 1);
  }

  /** Leaves the Map, which takes twice as long where each new key replaces another one. */
  unmap(rows: number): void {
    if (this.#map === undefined) return;
    const mapped = this.#map;
    this.#map = undefined;
    this.#allocate(rows);
    for (const row of mapped.values()) this.#insert(row);
  }

  #allocate(rows: number): void {
    const hashes = new Uint32Array(rows);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#buckets = new Uint32Array(2 ** Math.ceil(Math.log2(rows * 2)));
  }

  #insert(row: number): void {
    this.#hashes[row] = this.#hashOf(this.#keys[row]!);
    this.#place(row);
  }

  #erase(row: number): void {
    const mask = this.#buckets.length - 1;
    let hole = this.#hashes[row]! & mask;
    while ((this.#buckets[hole]! & ROW) !== row + 1) hole = (hole + 1) & mask;
    // Entries behind the hole that are found by probing across it move into it, so that no tombstones remain.
    for (let bucket = (hole + 1) & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const home = this.#hashes[(this.#buckets[bucket]! & ROW) - 1]! & mask;
      if (((bucket - home) & mask) < ((bucket - hole) & mask)) continue;
      this.#buckets[hole] = this.#buckets[bucket]!;
      hole = bucket;
    }
    this.#buckets[hole] = 0;
  }

  #place(row: number): void {
    const mask = this.#buckets.length - 1;
    const hash = this.#hashes[row]!;
    let bucket = hash & mask;
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket] = (hash & TAG) | (row + 1);
  }

  #hashOf(key: string): number {
    if (key !== this.#latestKey) {
      this.#latestKey = key;
      this.#latestHash = hashOf(key, this.#seed);
    }
    return this.#latestHash;
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
