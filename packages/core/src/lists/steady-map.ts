/** A map of more entries has parts, because V8 copies a whole map when it grows: 36 ms for 65 536 entries. */
const MAX_WHOLE = 1_024;
const PARTS = 64;

/** A map of numbers that never stalls when it grows. */
export class SteadyMap<T> {
  /** One map while it is short, then 64. */
  #parts: readonly Map<number | bigint, T>[] = [new Map()];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: number | bigint): T | undefined {
    return this.#partOf(key).get(key);
  }

  set(key: number | bigint, value: T): void {
    const part = this.#partOf(key);
    const before = part.size;
    part.set(key, value);
    this.#size += part.size - before;
    if (this.#size > MAX_WHOLE && this.#parts.length === 1) this.#split();
  }

  delete(key: number | bigint): void {
    if (this.#partOf(key).delete(key)) this.#size -= 1;
  }

  *values(): IterableIterator<T> {
    for (const part of this.#parts) yield* part.values();
  }

  #partOf(key: number | bigint): Map<number | bigint, T> {
    if (this.#parts.length === 1) return this.#parts[0]!;
    return this.#parts[hashOf(typeof key === 'number' ? key : Number(BigInt.asUintN(32, key))) % PARTS]!;
  }

  #split(): void {
    const [whole] = this.#parts;
    this.#parts = Array.from({ length: PARTS }, () => new Map());
    for (const [key, value] of whole!) this.#partOf(key).set(key, value);
  }
}

/** The last step of MurmurHash3. Parts that fill at random do not grow at the same time. */
function hashOf(number: number): number {
  let hash = number | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
