/** Something that must settle in time. It calls `Deadline.settle` once, also when it expires. */
export interface Expiring {
  /** In milliseconds of `performance.now()`. */
  readonly dueAt: number;
  readonly isSettled: boolean;
  expire(): void;
}

/** The deadline of an operation of several calls. */
export interface TimeLimit {
  readonly expired: Promise<void>;
  /** Ends the limit early, any number of times. */
  stop(): void;
}

/** Expires calls that take too long. All have the same time limit, so one timer and one list in order of start suffice. */
export class Deadline {
  readonly milliseconds: number;
  #watched: Expiring[] = [];
  #unsettled = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  watch(expiring: Expiring): void {
    this.#watched.push(expiring);
    this.#unsettled += 1;
    if (this.#timer === undefined) this.#startTimer(Math.max(1, expiring.dueAt - performance.now()));
    else if (this.#unsettled === 1) this.#timer.ref();
  }

  /** Must be called once for each watched call that is settled. */
  settle(): void {
    this.#unsettled -= 1;
    // Calls usually settle in order. A settled call in the list would be copied by every young-generation GC.
    while (this.#watched[0]?.isSettled) this.#watched.shift();
    // A process without calls in flight may exit.
    if (this.#unsettled === 0) this.#timer?.unref();
  }

  /** Starts a time limit of the same length. */
  startLimit(): TimeLimit {
    let onExpired!: () => void;
    const expired = new Promise<void>((resolve) => (onExpired = resolve));
    const limit = { dueAt: performance.now() + this.milliseconds, isSettled: false, expire };
    const stop = () => {
      if (limit.isSettled) return;
      limit.isSettled = true;
      this.settle();
    };
    function expire() {
      stop();
      onExpired();
    }
    this.watch(limit);
    return { expired, stop };
  }

  #startTimer(after: number): void {
    // After a long block of the process a reply may wait in the socket: it is read before calls expire.
    this.#timer = setTimeout(() => {
      const now = performance.now();
      setImmediate(() => this.#expire(now));
    }, after);
  }

  /** @param now before the replies were read: a call that became due later expires with the next timer */
  #expire(now: number): void {
    this.#timer = undefined;
    const watched = this.#watched;
    let count = 0;
    while (count < watched.length && (watched[count]!.isSettled || watched[count]!.dueAt <= now)) count += 1;
    this.#watched = watched.slice(count);
    if (this.#watched.length > 0) this.#startTimer(Math.max(1, this.#watched[0]!.dueAt - now));
    for (const expiring of watched.slice(0, count)) if (!expiring.isSettled) expiring.expire();
  }
}
