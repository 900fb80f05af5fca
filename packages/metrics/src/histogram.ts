/** What a histogram has counted since the start. */
export interface Distribution {
  /** For each bucket the values up to its bound and above the one before; the last has no bound. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Counts values in buckets. */
export class Histogram implements Distribution {
  readonly counts: number[];
  sum = 0;
  readonly #bounds: readonly number[];

  /** @param bounds ascending, each the largest value of its bucket */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  record(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1;
    this.counts[bucket]! += 1;
    this.sum += value;
  }
}
