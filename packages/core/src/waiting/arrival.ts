import { NumberedQueue } from './numbered-queue.js';
import type { Order } from './order.js';
import type { Place } from './place.js';
import type { Checked } from './work.js';

/** Work asks in the order of its arrival. */
export class Arrival<T extends Checked> implements Order<T> {
  readonly goesOnLater = false;
  readonly #queue = new NumberedQueue<Place<T>>();

  places(): Iterable<Place<T>> {
    return this.#queue.values();
  }

  sizeOf(): number {
    return 0;
  }

  add(place: Place<T>): void {
    this.#queue.add(place);
  }

  delete(place: Place<T>): void {
    this.#queue.delete(place);
  }

  next(isPaused: boolean): Place<T> | undefined {
    return isPaused ? undefined : this.#queue.first();
  }

  onAdmitted(): void {}

  /** What was denied to others says nothing about the first. */
  onDenied(place: Place<T>): boolean {
    return this.#queue.first() === place;
  }

  retry(): void {}
}
