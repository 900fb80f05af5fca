/** Outages that are remembered: those of a day at one in five minutes. */
const MAX_OUTAGES = 288;

interface Outage {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** When the store did not answer, for the band of the chart. Times are milliseconds since the start. */
export class OutageLog {
  readonly #outages: Outage[] = [];

  /**
   * @param isOut whether the store fails now
   * @param since when it began to fail, which is noticed later
   */
  note(now: number, isOut: boolean, since = now): void {
    const last = this.#outages.at(-1);
    const lasts = last?.to === Infinity;
    if (lasts && !isOut) last.to = now;
    if (lasts || !isOut) return;
    this.#outages.push({ from: since, to: Infinity });
    if (this.#outages.length > MAX_OUTAGES) this.#outages.shift();
  }

  /** For each of the newest full slots, oldest first: 1 if the store failed in a part of it, otherwise 0. */
  read(now: number, step: number, slots: number): readonly (0 | 1)[] {
    const first = Math.floor(now / step) - slots;
    return Array.from({ length: slots }, (_, index) => {
      const [start, end] = [(first + index) * step, (first + index + 1) * step];
      return this.#outages.some(({ from, to }) => from < end && to > start) ? 1 : 0;
    });
  }
}
