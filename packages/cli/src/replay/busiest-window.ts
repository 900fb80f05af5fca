/** So many slices count a window. With whole seconds a minute is exact. */
const SLICES = 240;

/**
 * The most units that one client has requested in any window of a length. Counted in slices: it leaves out what lies
 * beyond 239 / 240 of the window, and never counts more than the window holds.
 */
export class BusiestWindow {
  /** The most units so far. */
  most = 0;
  readonly #slice: number;
  /** Pairs of a slice and its units. Those before `#first` and from `#end` on are free. */
  readonly #pairs: number[] = [];
  #first = 0;
  #end = 0;
  #units = 0;

  /** @param window milliseconds */
  constructor(window: number) {
    this.#slice = window / SLICES;
  }

  /** @param time milliseconds, never before the last one */
  add(time: number, units: number): void {
    const slice = Math.floor(time / this.#slice);
    const pairs = this.#pairs;
    while (this.#first < this.#end && pairs[this.#first]! <= slice - SLICES) {
      this.#units -= pairs[this.#first + 1]!;
      this.#first += 2;
    }
    this.#reuse();
    const last = this.#end - 2;
    if (last >= this.#first && pairs[last] === slice) pairs[last + 1]! += units;
    else {
      pairs[this.#end] = slice;
      pairs[this.#end + 1] = units;
      this.#end += 2;
    }
    this.#units += units;
    if (this.#units > this.most) this.most = this.#units;
  }

  /** Moves the pairs to the front when most places before them are free. A new array for each window takes longer. */
  #reuse(): void {
    if (this.#first === 0 || this.#first * 2 < this.#end) return;
    this.#pairs.copyWithin(0, this.#first, this.#end);
    this.#end -= this.#first;
    this.#first = 0;
  }
}
