import type { Room } from './line.js';

/** The room of a pool that says nothing: so many acquisitions may ask it together. */
export class PendingRoom implements Room {
  readonly #max: number;
  #asking = 0;

  constructor(max: number) {
    this.#max = max;
  }

  free(): number {
    return this.#max - this.#asking;
  }

  begin(): void {
    this.#asking += 1;
  }

  end(): void {
    this.#asking -= 1;
  }
}
