const TURN_MS = 1;

/** A turn of long work, after which other work runs. By time, because code that has just been loaded is 50 times slower. */
export class Turn {
  #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > TURN_MS;
  }

  async next(): Promise<void> {
    await new Promise(setImmediate);
    this.#since = performance.now();
  }
}
