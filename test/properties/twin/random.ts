/** Pseudorandom numbers by sfc32. The same seed gives the same numbers. */
export class Random {
  readonly #state: Int32Array;

  constructor(readonly seed: number) {
    this.#state = Int32Array.of(seed, seed / 2 ** 32, 0x9e3779b9, 1);
    for (let round = 0; round < 20; round += 1) this.#next();
  }

  /** A number from 0, below 1. */
  fraction(): number {
    return (this.#next() + this.#next() / 2 ** 32) / 2 ** 32;
  }

  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** An integer from `min` to `max`, with every magnitude equally likely. */
  magnitude(min: number, max: number): number {
    const value = Math.exp(Math.log(min) + this.fraction() * (Math.log(max + 1) - Math.log(min)));
    return Math.min(max, Math.max(min, Math.floor(value)));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.integer(0, list.length - 1)]!;
  }

  #next(): number {
    const state = this.#state;
    const sum = (state[0]! + state[1]! + state[3]!) | 0;
    state[3] = state[3]! + 1;
    state[0] = state[1]! ^ (state[1]! >>> 9);
    state[1] = state[2]! + (state[2]! << 3);
    state[2] = ((state[2]! << 21) | (state[2]! >>> 11)) + sum;
    return sum >>> 0;
  }
}
