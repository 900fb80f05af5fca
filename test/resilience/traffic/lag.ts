/**
 * The maximum delay of the event loop for a timer, the end of its turn and some work: what a deadline waits for, because
 * replies in sockets are read first. Probes start every millisecond and overlap, so that successive stalls add up, as they
 * do for a decision. `monitorEventLoopDelay` measures each stall alone, and misses the one that it starts in.
 */
export class Lag {
  #worst = 0;
  #due = performance.now();
  #stopped = false;

  constructor() {
    this.#setOff();
  }

  /** The maximum so far, in milliseconds. */
  get worst(): number {
    return this.#worst;
  }

  /** Also counts a probe that is late and has not arrived. */
  stop(): void {
    if (!this.#stopped) this.#note(this.#due);
    this.#stopped = true;
  }

  #setOff(): void {
    if (this.#stopped) return;
    const due = performance.now() + 1;
    this.#due = due;
    setTimeout(() => {
      this.#setOff();
      setImmediate(() => setImmediate(() => this.#note(due)));
    }, 1);
  }

  #note(due: number): void {
    this.#worst = Math.max(this.#worst, performance.now() - due);
  }
}
