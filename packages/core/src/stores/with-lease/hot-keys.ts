/** About so many requests in a period make a key hot. For fewer, batches of checks save as much as a lease. */
const HOT_REQUESTS = 128;
/** One of this many requests is counted, at random, because counting takes longer than all else that a lease does. */
const SAMPLED_ONE_IN = 8;
const MAX_PERIOD_MS = 1_000;
/** Counters of a row. */
const COUNTERS = 2 ** 16;

/**
 * Tells hot keys from others, in 128 kB for any number of keys. A key has a counter in each of two rows, and keys can share
 * one: a key that shares both may count as hot too soon, which costs time and changes no decision.
 */
export class HotKeys {
  readonly #threshold: number;
  readonly #oneIn: number;
  /** Undefined until a request could use a lease. */
  #rows: readonly [Uint8Array, Uint8Array] | undefined;
  #startedAt = -Infinity;
  #random = 1;

  /**
   * @param requests in a period, at most 255 times `oneIn`
   * @param oneIn of how many requests one is counted
   */
  constructor(requests: number = HOT_REQUESTS, oneIn: number = SAMPLED_ONE_IN) {
    this.#threshold = requests / oneIn;
    this.#oneIn = oneIn;
  }

  /** Whether the next request is counted. In turns, keys that take turns would be counted unevenly. */
  samples(): boolean {
    // The generator of Numerical Recipes. Its high bits are random enough.
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random < 2 ** 32 / this.#oneIn;
  }

  /**
   * Counts a request that is sampled. True for a key that had enough of them in this period.
   *
   * @param now monotonic milliseconds
   * @param duration of the lease, in milliseconds: a period is no longer
   */
  note(key: string, now: number, duration: number): boolean {
    const [first, second] = (this.#rows ??= [new Uint8Array(COUNTERS), new Uint8Array(COUNTERS)]);
    if (now - this.#startedAt >= Math.min(duration, MAX_PERIOD_MS)) {
      first.fill(0);
      second.fill(0);
      this.#startedAt = now;
    }
    const hash = hashOf(key);
    const firstPlace = hash % COUNTERS;
    const secondPlace = Math.floor(hash / COUNTERS);
    // A key has at most the smaller count. The larger one is also that of others.
    const count = Math.min(first[firstPlace]!, second[secondPlace]!) + 1;
    if (count >= this.#threshold) return true;
    first[firstPlace] = Math.max(first[firstPlace]!, count);
    second[secondPlace] = Math.max(second[secondPlace]!, count);
    return false;
  }
}

/** FNV-1a, of 32 bits. The digests of keys are spread well, so any hash will do. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash >>> 0;
}
