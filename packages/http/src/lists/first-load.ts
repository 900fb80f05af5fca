/** Milliseconds. */
const MAX_WAIT_MS = 10_000;

/** The first load of a list, which the first requests wait for. */
export class FirstLoad {
  readonly #patience: number;
  #waiting: Promise<void> | undefined;
  #resolve: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** In milliseconds of `performance.now()`. */
  #giveUpAt = 0;
  #hasEnded = false;

  /** @param patience milliseconds without a page, after which requests wait no longer */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** Resolves when requests no longer wait, and is undefined from then on. */
  wait(): Promise<void> | undefined {
    if (this.#hasEnded) return undefined;
    this.#waiting ??= new Promise((resolve) => {
      // A reply may have come while the process was busy.
      const giveUp = () => setImmediate(() => this.end());
      this.#giveUpAt = performance.now() + MAX_WAIT_MS;
      this.#timer = setTimeout(giveUp, this.#patience);
      this.#resolve = resolve;
    });
    return this.#waiting;
  }

  /** A list that is being read is worth waiting for. */
  onPage(): void {
    if (performance.now() < this.#giveUpAt) this.#timer?.refresh();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#resolve?.();
  }
}
