import type { Place } from './place.js';
import type { Checked } from './work.js';

/** Work whose check was sent. It begins in this order. */
export class SentPlaces<T extends Checked> {
  #places: Place<T>[] = [];
  /** So many of them have begun. */
  #begun = 0;

  get isEmpty(): boolean {
    return this.first === undefined;
  }

  get first(): Place<T> | undefined {
    return this.#places[this.#begun];
  }

  values(): readonly Place<T>[] {
    return this.#places.slice(this.#begun);
  }

  push(place: Place<T>): void {
    this.#places.push(place);
  }

  /** The first has begun, or has left. */
  shift(): void {
    this.#begun += 1;
    if (!this.isEmpty) return;
    this.#places = [];
    this.#begun = 0;
  }

  /** Takes out a place and all behind it. Returns those behind it, the last first. */
  takeFrom(first: Place<T>): readonly Place<T>[] {
    const behind: Place<T>[] = [];
    for (let place = this.#places.pop()!; place !== first; place = this.#places.pop()!) behind.push(place);
    return behind;
  }
}
