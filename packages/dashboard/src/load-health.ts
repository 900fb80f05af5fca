import { subscribe } from '@sluice/core';
import type { Load } from './messages.js';

/** What shedders of this process have measured last, and what they have refused. */
export class LoadHealth {
  readonly #refused = { normal: 0, sheddable: 0 };
  #shadowed = 0;
  readonly #door = { held: 0, left: 0, longest: 0 };
  #measured: Pick<Load, 'level' | 'standing'> | undefined;
  readonly #subscriptions: readonly (() => void)[];

  constructor() {
    this.#subscriptions = [
      subscribe('sluice:load', ({ level, standing }) => (this.#measured = { level, standing })),
      subscribe('sluice:shed', ({ priority, shadow }) => {
        if (shadow) this.#shadowed += 1;
        else this.#refused[priority] += 1;
      }),
      subscribe('sluice:door', ({ held, left, longest }) => {
        this.#door.held += held;
        this.#door.left += left;
        this.#door.longest = Math.max(this.#door.longest, longest);
      }),
    ];
  }

  /** Undefined without a shedder. */
  read(): Load | undefined {
    return (
      this.#measured && {
        ...this.#measured,
        refused: { ...this.#refused },
        shadowed: this.#shadowed,
        door: { ...this.#door },
      }
    );
  }

  stop(): void {
    for (const end of this.#subscriptions) end();
  }
}
