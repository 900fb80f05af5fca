import type { LoadEvent, ShedEvent } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

const PRIORITIES: readonly ShedEvent['priority'][] = ['normal', 'sheddable'];

/** What shedders have measured last, and what they have refused. */
export class ShedMetrics {
  /** By the target of their shedder. */
  readonly #loads = new Map<number, LoadEvent>();
  readonly #refused = { normal: 0, sheddable: 0 };
  readonly #shadowed = { normal: 0, sheddable: 0 };

  measure(event: LoadEvent): void {
    this.#loads.set(event.target, event);
  }

  count({ priority, shadow }: ShedEvent): void {
    (shadow ? this.#shadowed : this.#refused)[priority] += 1;
  }

  levels(): readonly NumberPoint[] {
    return this.#most(({ level }) => level);
  }

  /** In seconds. */
  delays(): readonly NumberPoint[] {
    return this.#most(({ standing }) => standing / 1e3);
  }

  requests(): readonly NumberPoint[] {
    return PRIORITIES.flatMap((priority) => [
      {
        attributes: { 'sluice.priority': priority, 'sluice.shadow': 'false' },
        value: this.#refused[priority],
      },
      {
        attributes: { 'sluice.priority': priority, 'sluice.shadow': 'true' },
        value: this.#shadowed[priority],
      },
    ]);
  }

  /** Of the shedder that is worst. No point without a shedder. */
  #most(valueOf: (load: LoadEvent) => number): readonly NumberPoint[] {
    const loads = [...this.#loads.values()];
    return loads.length === 0 ? [] : [{ attributes: {}, value: Math.max(...loads.map(valueOf)) }];
  }
}
