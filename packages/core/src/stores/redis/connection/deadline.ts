/** Something that has to be settled in time. */
export interface Expiring {
  /** When its time is over, in milliseconds of `performance.now()`. */
  readonly due: number;
  readonly settled: boolean;
  expire(): void;
}

/** The time of something that takes several calls. */
export interface TimeLimit {
  /** Resolves when it is over. */
  readonly over: Promise<void>;
  /** It is not needed any more. */
  stop(): void;
}

/**
 * Ends what takes too long. All of it has the same time, so one timer and one list in the order of beginning are enough,
 * and what is settled in time costs nearly nothing.
 */
export class Deadline {
  /** The time that all have, in milliseconds. */
  readonly milliseconds: number;
  #watched: Expiring[] = [];
  #unsettled = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  watch(timed: Expiring): void {
    this.#watched.push(timed);
    this.#unsettled += 1;
    if (this.#timer === undefined) this.#wake(Math.max(1, timed.due - performance.now()));
    else if (this.#unsettled === 1) this.#timer.ref();
  }

  /** To be told once for each that is settled in time. */
  settle(): void {
    this.#unsettled -= 1;
    // Mostly the one that has begun first. What is settled would hold on to all that it was about, and the collector of
    // garbage would carry it about until the time of it was over.
    while (this.#watched[0]?.settled) this.#watched.shift();
    // Nothing is waited for, so nothing keeps the process up.
    if (this.#unsettled === 0) this.#timer?.unref();
  }

  /** A time that begins now. */
  timeLimit(): TimeLimit {
    let over!: () => void;
    const timed = {
      due: performance.now() + this.milliseconds,
      settled: false,
      expire() {
        timed.settled = true;
        over();
      },
    };
    const promise = new Promise<void>((resolve) => (over = resolve));
    this.watch(timed);
    const stop = () => {
      if (timed.settled) return;
      timed.settled = true;
      this.settle();
    };
    return { over: promise, stop };
  }

  #wake(after: number): void {
    // A reply may lie in the socket where the process was busy for long: it is read first.
    this.#timer = setTimeout(() => {
      const now = performance.now();
      setImmediate(() => this.#expire(now));
    }, after);
  }

  /** @param now when the replies of now had not been read yet: what has become due since is for the next time */
  #expire(now: number): void {
    this.#timer = undefined;
    const watched = this.#watched;
    let over = 0;
    while (over < watched.length && (watched[over]!.settled || watched[over]!.due <= now)) over += 1;
    this.#watched = watched.slice(over);
    if (this.#watched.length > 0) this.#wake(Math.max(1, this.#watched[0]!.due - now));
    for (const timed of watched.slice(0, over)) {
      if (timed.settled) continue;
      this.#unsettled -= 1;
      timed.expire();
    }
  }
}
