import type { DoorEvent } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

/** Milliseconds for which the longest hold is shown: longer than the interval of most scrapes. */
const MINUTE = 60_000;

/** Requests that shedders have held at the door, while new connections queued. */
export class DoorMetrics {
  readonly #clock: () => number;
  #stayed = 0;
  #left = 0;
  #longest = 0;
  #longestAt = -Infinity;

  /** @param clock monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  count({ held, left, longest }: DoorEvent): void {
    this.#stayed += held - left;
    this.#left += left;
    if (longest < this.#longest && !this.#isOver()) return;
    this.#longest = longest;
    this.#longestAt = this.#clock();
  }

  requests(): readonly NumberPoint[] {
    return [
      { attributes: { 'sluice.left': 'false' }, value: this.#stayed },
      { attributes: { 'sluice.left': 'true' }, value: this.#left },
    ];
  }

  /** In seconds. */
  holds(): readonly NumberPoint[] {
    return [{ attributes: {}, value: this.#isOver() ? 0 : this.#longest / 1e3 }];
  }

  #isOver(): boolean {
    return this.#clock() - this.#longestAt >= MINUTE;
  }
}
