/** A call that must settle in time. */
export interface Expiring {
  /** In milliseconds of `performance.now()`. */
  readonly dueAt: number;
  readonly isSettled: boolean;
  /** Settles the call. */
  expire(): void;
}

/** Expires calls that take too long. All have the same time limit, so one timer and one list in order of start suffice. */
export class Deadline<Timed extends Expiring = Expiring> {
  readonly milliseconds: number;
  // A Map keeps settled calls alive: its old tables, which are collected late, point to the new ones.
  #watched: Timed[] = [];
  #unsettled = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  watch(call: Timed): void {
    this.#watched.push(call);
    this.#unsettled += 1;
    if (this.#timer === undefined) this.#startTimer(Math.max(1, call.dueAt - performance.now()));
    else if (this.#unsettled === 1) this.#timer.ref();
  }

  /** To be called when a watched call has got a later time, as if it started now. */
  extend(call: Timed): void {
    this.#watched.splice(this.#watched.indexOf(call), 1);
    this.#watched.push(call);
  }

  /** To be called once for each watched call when it settles, also when it expires. */
  settle(): void {
    this.#unsettled -= 1;
    // Calls usually settle in order. A settled call in the list would be copied by every young-generation GC.
    while (this.#watched[0]?.isSettled) this.#watched.shift();
    // A process without calls in flight may exit.
    if (this.#unsettled === 0) this.#timer?.unref();
  }

  /** Calls in flight, in order of their start. */
  pending(): readonly Timed[] {
    return this.#watched.filter((call) => !call.isSettled);
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
    for (const call of watched.slice(0, count)) if (!call.isSettled) call.expire();
  }
}
