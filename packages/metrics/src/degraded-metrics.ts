import type { DegradedEvent } from '@sluice/core/internal';
import type { NumberPoint } from './point.js';

const FALLBACKS: readonly DegradedEvent['fallback'][] = ['local', 'allow', 'deny'];

/** Operations that the store could not answer, and the seconds in which there were any. */
export class DegradedMetrics {
  readonly #clock: () => number;
  readonly #operations = new Map<string, { readonly attributes: NumberPoint['attributes']; value: number }>();
  #seconds = 0;
  /** The end of the second that was counted last. */
  #countedUntil = -Infinity;

  /** @param clock monotonic, in milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    for (const operation of ['consume', 'peek'] as const) {
      for (const fallback of FALLBACKS) {
        // An alert sees the first of them only when the series was there before.
        for (const code of ['STORE_UNAVAILABLE', 'STORE_KEY_UNREADABLE']) this.#operationOf(operation, fallback, code);
      }
    }
    this.#operationOf('refund', undefined, 'STORE_UNAVAILABLE');
  }

  count({ operation, fallback, code }: DegradedEvent): void {
    this.#operationOf(operation, fallback, code).value += 1;
    const now = this.#clock();
    if (now < this.#countedUntil) return;
    this.#countedUntil = now + 1e3;
    this.#seconds += 1;
  }

  operations(): readonly NumberPoint[] {
    return [...this.#operations.values()];
  }

  seconds(): readonly NumberPoint[] {
    return [{ attributes: {}, value: this.#seconds }];
  }

  #operationOf(operation: string, fallback: DegradedEvent['fallback'], code: string) {
    const name = `${operation} ${fallback} ${code}`;
    let known = this.#operations.get(name);
    if (known === undefined) {
      const attributes = { 'sluice.operation': operation, 'sluice.fallback': fallback ?? 'none', 'error.type': code };
      known = { attributes, value: 0 };
      this.#operations.set(name, known);
    }
    return known;
  }
}
