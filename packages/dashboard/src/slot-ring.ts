/** Counts in slots of equal length. It needs no timer: it moves on when it is counted or read. */
export class SlotRing {
  readonly #step: number;
  /** One more than is read: the slot that counts now is not full. */
  readonly #counts: Float64Array;
  #slot = 0;

  /** @param step the length of a slot, in milliseconds */
  constructor(step: number, slots: number) {
    this.#step = step;
    this.#counts = new Float64Array(slots + 1);
  }

  /** @param now milliseconds since the start */
  count(now: number): void {
    this.#moveTo(now);
    this.#counts[this.#slot % this.#counts.length]! += 1;
  }

  /** The full slots, oldest first. */
  read(now: number): readonly number[] {
    this.#moveTo(now);
    const { length } = this.#counts;
    return Array.from({ length: length - 1 }, (_, index) => this.#counts[(this.#slot + 1 + index) % length]!);
  }

  #moveTo(now: number): void {
    const slot = Math.floor(now / this.#step);
    const { length } = this.#counts;
    for (let next = Math.max(this.#slot + 1, slot - length + 1); next <= slot; next += 1) {
      this.#counts[next % length] = 0;
    }
    this.#slot = Math.max(this.#slot, slot);
  }
}
