/** An older request comes from a clock that is wrong, and not from a queue: its client has given up long ago. */
const OLDEST = 60_000;
/** Milliseconds of a slice: what all its requests have waited is the queue. */
const SLICE = 100;
/** Of the 10 minutes in which the request with the least wait is looked for. */
const PART = 60_000;
const PARTS = 10;
/** A loop that works less than this part of a slice has no queue. */
const BUSY = 0.9;
/** Milliseconds by which ages may grow faster than time passes: connections do not queue in one line alone. */
const SLACK = 1_000;

/**
 * How long requests were on their way, by the times at which proxies have sent them. The clocks of proxies may be anything: the
 * shortest way of the last 10 minutes counts as no wait. Where the loop idles there is no queue either, whatever a clock says,
 * so that one which was set is known within a slice.
 */
export class SentAges {
  /** The shortest way, in each of the last minutes: differences of two clocks. */
  readonly #shortest = new Array<number>(PARTS).fill(Infinity);
  #part = 0;
  /** The shortest of them. */
  #base = Infinity;
  /** Of the slice that runs. */
  #least = Infinity;
  #sliceStart = 0;
  #busyAtStart = 0;
  /** What all requests of a slice have waited, the latest of which it is known, and when it ended. */
  #delay = 0;
  #at = 0;
  #reported = 0;

  /** @param sent milliseconds since 1970. @param now monotonic. @returns milliseconds; 0 for a time that no queue explains */
  of(sent: number, now: number): number {
    const way = now - sent;
    this.#least = Math.min(this.#least, way);
    const age = way - this.#base;
    return this.#isPossible(age, now) ? Math.max(0, age) : 0;
  }

  /**
   * What all requests of the last slice have waited. Called at each tick.
   *
   * @param busy milliseconds that the loop has worked, in all. Always 0 where nothing tells
   */
  delay(now: number, busy: () => number): number {
    const passed = now - this.#sliceStart;
    if (passed < SLICE) return this.#reported;
    const worked = busy();
    const isBusy = worked === 0 || worked - this.#busyAtStart >= BUSY * passed;
    this.#reported = this.#least === Infinity ? 0 : this.#endSlice(now, isBusy);
    this.#least = Infinity;
    this.#sliceStart = now;
    this.#busyAtStart = worked;
    return this.#reported;
  }

  #endSlice(now: number, isBusy: boolean): number {
    if (!isBusy) this.#shortest.fill(Infinity);
    this.#keep(Math.floor(now / PART));
    const delay = this.#least - this.#base;
    if (!this.#isPossible(delay, now)) return 0;
    this.#delay = delay;
    this.#at = now;
    return delay;
  }

  /** Keeps the shortest way of the slice. */
  #keep(part: number): void {
    const passed = Math.min(PARTS, part - this.#part);
    for (let each = 0; each < passed; each += 1) this.#shortest[(part - each) % PARTS] = Infinity;
    this.#part = part;
    const index = part % PARTS;
    this.#shortest[index] = Math.min(this.#shortest[index]!, this.#least);
    this.#base = Math.min(...this.#shortest);
  }

  /** A queue grows no faster than time passes. */
  #isPossible(age: number, now: number): boolean {
    return age <= Math.min(OLDEST, this.#delay + (now - this.#at) + SLACK);
  }
}
