import type { LoadEvent, ShedEvent } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

const PRIORITIES: readonly ShedEvent['priority'][] = ['normal', 'sheddable'];

/** What shedders and queues have measured last, and what they have refused. */
export class ShedMetrics {
  /** By what was measured, and the target of its shedder. */
  readonly #loads = new Map<string, LoadEvent>();
  /** Refusals by what was overloaded: '' is the event loop. */
  readonly #counts = new Map<string, Counts>([['', newCounts()]]);

  measure(event: LoadEvent): void {
    this.#loads.set(`${event.queue ?? ''} ${event.target}`, event);
  }

  count({ priority, shadow, queue = '' }: ShedEvent): void {
    const counts = this.#counts.get(queue) ?? newCounts();
    this.#counts.set(queue, counts);
    counts[shadow ? 'shadowed' : 'refused'][priority] += 1;
  }

  levels(): readonly NumberPoint[] {
    return this.#most(({ level }) => level);
  }

  /** In seconds. */
  delays(): readonly NumberPoint[] {
    return this.#most(({ standing }) => standing / 1e3);
  }

  requests(): readonly NumberPoint[] {
    return [...this.#counts].flatMap(([queue, { refused, shadowed }]) =>
      PRIORITIES.flatMap((priority) => [
        {
          attributes: { 'sluice.priority': priority, 'sluice.shadow': 'false', ...queueAttribute(queue) },
          value: refused[priority],
        },
        {
          attributes: { 'sluice.priority': priority, 'sluice.shadow': 'true', ...queueAttribute(queue) },
          value: shadowed[priority],
        },
      ]),
    );
  }

  /** Of the shedder of a queue that is worst. No point without a shedder. */
  #most(valueOf: (load: LoadEvent) => number): readonly NumberPoint[] {
    const worst = new Map<string, number>();
    for (const load of this.#loads.values()) {
      const { queue = '' } = load;
      worst.set(queue, Math.max(worst.get(queue) ?? 0, valueOf(load)));
    }
    return [...worst].map(([queue, value]) => ({ attributes: queueAttribute(queue), value }));
  }
}

interface Counts {
  readonly refused: Record<ShedEvent['priority'], number>;
  readonly shadowed: Record<ShedEvent['priority'], number>;
}

function newCounts(): Counts {
  return { refused: { normal: 0, sheddable: 0 }, shadowed: { normal: 0, sheddable: 0 } };
}

/** The event loop has no name. */
function queueAttribute(queue: string): Record<string, string> {
  return queue === '' ? {} : { 'sluice.queue': queue };
}
