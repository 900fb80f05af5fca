import { SpaceSaving, type Frequency } from './space-saving.js';

const COUNTERS = 128;
const GENERATION_MS = 30_000;

/** The most frequent items of the last 30 to 60 seconds, in two generations. */
export class RecentTop {
  readonly #clock: () => number;
  #current = new SpaceSaving(COUNTERS);
  #previous = new SpaceSaving(COUNTERS);
  #currentSince: number;

  /** @param clock monotonic, in milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.#currentSince = clock();
  }

  /** Items that were counted. */
  get total(): number {
    this.#rotate();
    return this.#current.total + this.#previous.total;
  }

  count(item: string): void {
    this.#rotate();
    this.#current.count(item);
  }

  /** The items with the highest counts that are certain, the first first: a new item has the count that it took over. */
  top(length: number): readonly Frequency[] {
    this.#rotate();
    const items = new Set([...this.#current.items(), ...this.#previous.items()]);
    const sums = [...items].map((item) => {
      const [now, before] = [this.#current.frequencyOf(item), this.#previous.frequencyOf(item)];
      return { item, count: now.count + before.count, error: now.error + before.error };
    });
    return sums.toSorted((one, other) => other.count - other.error - (one.count - one.error)).slice(0, length);
  }

  #rotate(): void {
    const age = this.#clock() - this.#currentSince;
    if (age < GENERATION_MS) return;
    this.#previous = age < 2 * GENERATION_MS ? this.#current : new SpaceSaving(COUNTERS);
    this.#current = new SpaceSaving(COUNTERS);
    this.#currentSince += Math.floor(age / GENERATION_MS) * GENERATION_MS;
  }
}
