import type { Checked } from './work.js';

/** How many checks may be in flight: one by one after a denial, and together again as far as the answers leave units. */
export class CheckWindow {
  readonly #most: number;
  #size: number;

  constructor(most: number) {
    this.#most = most;
    this.#size = most;
  }

  get size(): number {
    return this.#size;
  }

  onAdmitted(answer: Checked): void {
    this.#size = Math.max(1, Math.min(this.#size + 1, this.#most, roomAfter(answer)));
  }

  onDenied(): void {
    this.#size = 1;
  }
}

/** Requests that may fit after this one. Full budgets do not tell: a pause that is over has one unit. */
function roomAfter({ outcomes }: Checked): number {
  let room = Infinity;
  for (const { shadow, resetAfter, remaining } of outcomes) {
    if (!shadow && resetAfter > 0) room = Math.min(room, remaining);
  }
  return room;
}
