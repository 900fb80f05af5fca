// cache/ has a cache that keeps a bounded number of entries, and an index of rows in tables. Addresses, keys and denials
// enter. It imports no other room.

/**
 * A Map that drops its older half when it is full: two generations, as in hashlru and quick-lru, but a read does not
 * refresh an entry.
 */
export class BoundedCache<Value> {
  readonly #half: number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();

  /** @param size entries at most */
  constructor(size: number) {
    this.#half = size / 2;
  }

  get isEmpty(): boolean {
    return this.#young.size === 0 && this.#old.size === 0;
  }

  /** Entries at most: one that was set again may count twice. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: Value): void {
    this.#young.set(key, value);
    if (this.#young.size < this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
