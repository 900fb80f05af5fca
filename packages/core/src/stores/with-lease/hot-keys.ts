/** Requests in a period that make a key hot. For fewer, batches of checks save as much as a lease. */
const HOT_REQUESTS = 128;
const MAX_PERIOD_MS = 1_000;
const COUNTERS = 2 ** 16;

/**
 * Tells hot keys from others, in 64 kB for any number of keys. Keys can share a counter: one of them may count as hot too
 * soon, which costs time and changes no decision.
 */
export class HotKeys {
  readonly #threshold: number;
  readonly #counts = new Uint8Array(COUNTERS);
  #startedAt = -Infinity;

  /** @param threshold requests in a period, at most 255 */
  constructor(threshold: number = HOT_REQUESTS) {
    this.#threshold = threshold;
  }

  /**
   * Counts a request. True for a key that had enough of them in this period.
   *
   * @param now monotonic milliseconds
   * @param duration of the lease, in milliseconds: a period is no longer
   */
  note(key: string, now: number, duration: number): boolean {
    if (now - this.#startedAt >= Math.min(duration, MAX_PERIOD_MS)) {
      this.#counts.fill(0);
      this.#startedAt = now;
    }
    const place = hashOf(key) % COUNTERS;
    const count = this.#counts[place]! + 1;
    if (count >= this.#threshold) return true;
    this.#counts[place] = count;
    return false;
  }
}

/** FNV-1a, of 32 bits. The digests of keys are spread well, so any hash will do. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}
