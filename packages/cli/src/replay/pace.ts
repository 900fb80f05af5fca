const MINUTE = 60_000;

/** How the requests of a client lie in minutes of the clock. */
export class Pace {
  /** Minutes with a request. */
  minutes = 0;
  /** The most requests of one of them. */
  most = 0;
  #requests = 0;
  #minute = Number.NaN;
  #inMinute = 0;

  /** @param time milliseconds, never before the last one */
  add(time: number): void {
    const minute = Math.floor(time / MINUTE);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#inMinute = 0;
      this.minutes += 1;
    }
    this.#inMinute += 1;
    this.#requests += 1;
    if (this.#inMinute > this.most) this.most = this.#inMinute;
  }

  /** Requests a minute, in minutes with a request, as a part of the most: 1 for a client that never slows down. */
  get evenness(): number {
    return this.minutes === 0 ? 0 : this.#requests / this.minutes / this.most;
  }
}
