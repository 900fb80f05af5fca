/** The clocks of two machines differ by less than a thousandth. */
const DRIFT = 0.001;
/** The clock of a server may be set, and a failover brings another server. */
const MAX_AGE_MS = 5_000;

/** Times in milliseconds since 1970 between which the clock of a store is. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What this process knows of the clock of a store. The clock of the process itself may be an hour off, so that only times
 * that the store has said count.
 */
export class StoreClock {
  readonly #monotonic: () => number;
  #learnedAt = -Infinity;
  /** What the store is ahead of the monotonic clock. */
  #least = 0;
  #most = 0;

  /** @param monotonic milliseconds */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** @param time of the store between `sentAt` and now. @param sentAt by the monotonic clock */
  learn({ from, to }: TimeRange, sentAt: number): void {
    const now = this.#monotonic();
    this.#learnedAt = now;
    this.#least = from - now;
    this.#most = to - sentAt;
  }

  /** Undefined where the store has said nothing for a while. */
  range(): TimeRange | undefined {
    const now = this.#monotonic();
    const age = now - this.#learnedAt;
    if (age > MAX_AGE_MS) return undefined;
    return { from: now + this.#least - age * DRIFT, to: now + this.#most + age * DRIFT };
  }
}
