import { RowIndex } from '../../cache/row-index.js';

/** No row, and no slot. */
export const NONE = -1;

/** Up to so many rows, a Map fits into the cache of a processor. */
const MAX_MAPPED_ROWS = 2 ** 15;

/**
 * Finds the row of a key. A Map is fastest for few keys, because V8 stores the hash of a string with it. For many keys a hash
 * table with open addressing waits for memory less often, and takes 20 bytes a key less.
 */
export class KeyIndex {
  /** The rows of a table with few keys. It is undefined for a table with many keys. */
  #map: Map<string, number> | undefined = new Map();
  #maxMapped: number;
  /** By row. Of the records. */
  readonly #keys: readonly (string | undefined)[];
  /** Random, so that a client cannot prepare keys that collide. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  #hashes = new Uint32Array();
  readonly #rows = new RowIndex((row) => this.#hashes[row]!);
  // A key that is not found is added next.
  #latestKey: string | undefined;
  #latestHash = 0;
  readonly #isLatest = (row: number): boolean => this.#keys[row] === this.#latestKey;

  constructor(rows: number, keys: readonly (string | undefined)[], maxMapped: number = MAX_MAPPED_ROWS) {
    this.#keys = keys;
    this.#maxMapped = maxMapped;
    this.grow(rows);
  }

  find(key: string): number {
    return this.#map ? (this.#map.get(key) ?? NONE) : this.#rows.find(this.#hashOf(key), this.#isLatest);
  }

  /** Adds a row, whose key is not in the index. */
  add(row: number): void {
    if (this.#map) this.#map.set(this.#keys[row]!, row);
    else this.#insert(row);
  }

  /** Removes a row, which still has its key. */
  remove(row: number): void {
    if (this.#map) this.#map.delete(this.#keys[row]!);
    else this.#rows.delete(row);
  }

  grow(rows: number): void {
    if (this.#map && rows <= this.#maxMapped) return;
    const hashes = new Uint32Array(rows);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    const mapped = this.#map?.values() ?? [];
    this.#map = undefined;
    for (const row of mapped) this.#insert(row);
  }

  /** Leaves the Map, which takes twice as long where each new key replaces another one. */
  unmap(rows: number): void {
    if (this.#map === undefined) return;
    this.#maxMapped = 0;
    this.grow(rows);
  }

  #insert(row: number): void {
    this.#hashes[row] = this.#hashOf(this.#keys[row]!);
    this.#rows.add(row);
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
