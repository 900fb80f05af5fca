/** Numbers from 0 up to 2^32, the same in each run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  next(): number {
    // xorshift, which is cheaper than what it chooses keys for.
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state >>> 0;
    return this.#state;
  }

  below(bound: number): number {
    return this.next() % bound;
  }
}
