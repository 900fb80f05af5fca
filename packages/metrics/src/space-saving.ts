/** How often an item was counted, and by how much that may be too high. */
export interface Frequency {
  readonly item: string;
  readonly count: number;
  readonly error: number;
}

interface Counter {
  count: number;
  error: number;
}

/**
 * Finds the most frequent items of a stream with a fixed number of counters. Each item that makes up more than
 * `total / capacity` of the stream has a counter, no count is too low, and each is too high by its `error` at most.
 *
 * Source: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", 2005.
 */
export class SpaceSaving {
  /** Items that were counted. */
  total = 0;
  readonly #capacity: number;
  readonly #counters = new Map<string, Counter>();
  /** The count that the smallest counter had last. */
  #least = 1;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The most that an item without a counter was counted. */
  get missed(): number {
    return this.#counters.size < this.#capacity ? 0 : this.#smallest()[1].count;
  }

  count(item: string): void {
    this.total += 1;
    const known = this.#counters.get(item);
    if (known) known.count += 1;
    else if (this.#counters.size < this.#capacity) this.#counters.set(item, { count: 1, error: 0 });
    else {
      const [replaced, { count }] = this.#smallest();
      this.#counters.delete(replaced);
      this.#counters.set(item, { count: count + 1, error: count });
    }
  }

  frequencyOf(item: string): Frequency {
    const { count, error } = this.#counters.get(item) ?? { count: this.missed, error: this.missed };
    return { item, count, error };
  }

  items(): readonly string[] {
    return [...this.#counters.keys()];
  }

  /** Counts only grow: usually another counter has the count of the last one. */
  #smallest(): [string, Counter] {
    for (const each of this.#counters) if (each[1].count === this.#least) return each;
    this.#least = Math.min(...[...this.#counters.values()].map(({ count }) => count));
    return this.#smallest();
  }
}
