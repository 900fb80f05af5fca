import { hashOf, type Span } from './span.js';

const FIRST_CAPACITY = 2 ** 10;

/** Numbers of texts, from 0 in the order in which they are added. They are found by their bytes. */
export class SpanIds {
  size = 0;
  /** All texts, one behind the other. */
  #bytes = Buffer.allocUnsafe(16 * FIRST_CAPACITY);
  /** Where each text ends, by id plus one. */
  #ends = new Float64Array(FIRST_CAPACITY);
  /** An id plus one at the place of the hash, or at the next free one. At most half of them are taken. */
  #places = new Int32Array(2 * FIRST_CAPACITY);
  /** So that nobody can make a log whose texts have one place. */
  readonly #seed = Math.trunc(Math.random() * 2 ** 32);

  /** The id of a text. -1 for one that was not added. */
  idOf(span: Span): number {
    return this.#places[this.#placeOf(span)]! - 1;
  }

  /** Adds a text that has no id. */
  add({ bytes, start, end }: Span): number {
    if (this.size + 2 > this.#ends.length) this.#grow();
    const first = this.#ends[this.size]!;
    const last = first + end - start;
    if (last > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * last);
    bytes.copy(this.#bytes, first, start, end);
    this.size += 1;
    this.#ends[this.size] = last;
    this.#places[this.#placeOf({ bytes: this.#bytes, start: first, end: last })] = this.size;
    return this.size - 1;
  }

  /** Where a text is, or where it would be. */
  #placeOf(span: Span): number {
    const { bytes, start, end } = span;
    const places = this.#places;
    const mask = places.length - 1;
    const hash = hashOf(span, this.#seed);
    let place = (hash ^ (hash >>> 15)) & mask;
    for (; places[place] !== 0; place = (place + 1) & mask) {
      const first = this.#ends[places[place]! - 1]!;
      if (this.#ends[places[place]!]! - first !== end - start) continue;
      let at = start;
      while (at < end && bytes[at] === this.#bytes[first + at - start]) at += 1;
      if (at === end) break;
    }
    return place;
  }

  #grow(): void {
    const ends = new Float64Array(2 * this.#ends.length);
    ends.set(this.#ends);
    this.#ends = ends;
    this.#places = new Int32Array(2 * ends.length);
    for (let id = 0; id < this.size; id += 1) {
      this.#places[this.#placeOf({ bytes: this.#bytes, start: ends[id]!, end: ends[id + 1]! })] = id + 1;
    }
  }
}
