/** The first pause between two attempts, each of the next ones being twice as long. */
const FIRST_MS = 5;
/** The longest while the line has waited for less than what counts between processes, and the longest of all. */
const LONGEST_EARLY_MS = 50;
const LONGEST_MS = 400;
/** The age from which other processes leave it a unit. */
const EARLY_MS = 250;
/** Later a pause is this part of the wait. A unit that others have left idles for no longer. */
const PART = 50;

/**
 * How long a line pauses between two attempts. There is no push: a unit that another process has left idles until this one asks.
 * So pauses are short when one is due, and grow with the wait.
 */
export class LinePause {
  #since = performance.now();
  #pause = FIRST_MS;

  /** Milliseconds. Random, so that processes do not ask at the same time. */
  next(): number {
    const age = performance.now() - this.#since;
    const longest = age < EARLY_MS ? LONGEST_EARLY_MS : Math.min(LONGEST_MS, Math.max(FIRST_MS, age / PART));
    const pause = Math.min(this.#pause, longest) * (0.5 + Math.random() / 2);
    this.#pause = Math.min(LONGEST_MS, this.#pause * 2);
    // From then on a unit is left to it, which would idle until the end of this pause.
    return age < EARLY_MS ? Math.min(pause, Math.max(FIRST_MS, EARLY_MS - age)) : pause;
  }

  /** One in line was admitted. */
  begin(): void {
    this.#since = performance.now();
    this.#pause = FIRST_MS;
  }
}
