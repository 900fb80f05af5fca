/** How long the alarm waits at least and at most. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 1_000;

/** One timer for many deadlines: it rings at the earliest of them. It does not keep the process alive. */
export class Alarm {
  readonly #clock: () => number;
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  #ringsAt = Infinity;
  /** The earliest deadline. */
  #dueAt = Infinity;

  constructor(clock: () => number, ring: () => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Has the alarm ring at that time or before, but not sooner than in 10 ms and not later than in a second. */
  setFor(time: number): void {
    this.#dueAt = Math.min(this.#dueAt, time);
    const now = this.#clock();
    const pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, Math.ceil(time - now)));
    // A deadline that has just been added must not delay an earlier one.
    if (now + pause >= this.#ringsAt) return;
    clearTimeout(this.#timer);
    this.#ringsAt = now + pause;
    this.#timer = setTimeout(() => {
      this.#ringsAt = Infinity;
      this.#dueAt = Infinity;
      this.#ring();
    }, pause).unref();
  }

  /** True if a deadline has passed, and the alarm has not rung. */
  isLate(now: number): boolean {
    return this.#dueAt <= now;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#ringsAt = Infinity;
    this.#dueAt = Infinity;
  }
}
