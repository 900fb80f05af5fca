/**
 * How late the event loop was at most for something that waits for a timer, then for the end of its turn, and then has
 * work to do, as all that has a deadline: what lies in a socket by then is read first. A probe sets off every
 * millisecond, before the one before it has arrived, so that stalls that follow each other add up as they do for a
 * decision. The histogram of `monitorEventLoopDelay` sees each on its own, and leaves out the one that it begins in.
 */
export class Lag {
  #worst = 0;
  #due = performance.now();
  #stopped = false;

  constructor() {
    this.#setOff();
  }

  /** Milliseconds so far. */
  get worst(): number {
    return this.#worst;
  }

  /** What is late by now counts, whether it has arrived or not. */
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
