/** Milliseconds between two lessons. */
const LESSON = 1_000;
/** A longer one has begun before a pause of the timer. */
const LONGEST = 2 * LESSON;
/** The most that one lesson changes: when a rush begins, requests are admitted whose work is done later. */
const STEP = 0.9;
/** A refusal takes time too, but less than a request: the time of one refusal for as many requests is none. */
const FEW = 1 / 10;

/** How long a process works for a request, on average. */
export class RequestWork {
  #mean = 0;
  #admitted = 0;
  #refused = 0;
  #lessonStart = -Infinity;
  #busyBefore = 0;

  /** Counts a request. @returns its work in milliseconds, as far as is known */
  admit(): number {
    this.#admitted += 1;
    return this.#mean;
  }

  /** Counts a refused request. */
  refuse(): void {
    this.#refused += 1;
  }

  /** @param busy milliseconds that the process has worked, in all */
  learn(now: number, busy: () => number): void {
    if (now - this.#lessonStart < LESSON) return;
    const worked = busy();
    if (this.#admitted > 0 && now - this.#lessonStart < LONGEST) {
      const mean = (worked - this.#busyBefore) / this.#admitted;
      // Beside many refusals it is a bound only: a flood that is refused makes no request longer.
      const most = this.#refused <= FEW * this.#admitted ? this.#mean / STEP : this.#mean;
      const bounded = Math.min(Math.max(mean, this.#mean * STEP), most);
      this.#mean = this.#mean === 0 ? mean : bounded;
    }
    this.#admitted = 0;
    this.#refused = 0;
    this.#busyBefore = worked;
    this.#lessonStart = now;
  }
}
