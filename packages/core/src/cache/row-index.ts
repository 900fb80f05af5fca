const FIRST_BUCKETS = 16;

/** A bucket holds row + 1 in its low 25 bits, and the hash bits above them in the others. 0 is an empty bucket. */
const ROW = 2 ** 25 - 1;
const TAG = ~ROW;

/**
 * Rows by the hash of what they stand for: open addressing with linear probing, at most half full. It takes 8 to 16 bytes a row,
 * and no object.
 */
export class RowIndex {
  /** Of a row that is in the index, 32 bits. */
  readonly #hashOf: (row: number) => number;
  #buckets = new Uint32Array(FIRST_BUCKETS);
  #size = 0;

  constructor(hashOf: (row: number) => number) {
    this.#hashOf = hashOf;
  }

  /** The row with this hash that is sought. -1: it is not here. */
  find(hash: number, isSought: (row: number) => boolean): number {
    const mask = this.#buckets.length - 1;
    for (let bucket = hash & mask; ; bucket = (bucket + 1) & mask) {
      const entry = this.#buckets[bucket]!;
      if (entry === 0) return -1;
      // The tag spares nearly all comparisons with others.
      if (((entry ^ hash) & TAG) === 0 && isSought((entry & ROW) - 1)) return (entry & ROW) - 1;
    }
  }

  /** Adds a row, which is not in the index. */
  add(row: number): void {
    this.#size += 1;
    if (2 * this.#size > this.#buckets.length) this.#grow();
    this.#place(row);
  }

  /** Removes a row that is in the index. */
  delete(row: number): void {
    const mask = this.#buckets.length - 1;
    let hole = this.#hashOf(row) & mask;
    while ((this.#buckets[hole]! & ROW) !== row + 1) hole = (hole + 1) & mask;
    // Entries behind the hole that are found by probing across it move into it, so that no tombstones remain.
    for (let bucket = (hole + 1) & mask; this.#buckets[bucket] !== 0; bucket = (bucket + 1) & mask) {
      const home = this.#hashOf((this.#buckets[bucket]! & ROW) - 1) & mask;
      if (((bucket - home) & mask) < ((bucket - hole) & mask)) continue;
      this.#buckets[hole] = this.#buckets[bucket]!;
      hole = bucket;
    }
    this.#buckets[hole] = 0;
    this.#size -= 1;
  }

  #grow(): void {
    const entries = this.#buckets;
    this.#buckets = new Uint32Array(2 * entries.length);
    for (const entry of entries) if (entry > 0) this.#place((entry & ROW) - 1);
  }

  #place(row: number): void {
    const mask = this.#buckets.length - 1;
    const hash = this.#hashOf(row);
    let bucket = hash & mask;
    while (this.#buckets[bucket] !== 0) bucket = (bucket + 1) & mask;
    this.#buckets[bucket] = (hash & TAG) | (row + 1);
  }
}
