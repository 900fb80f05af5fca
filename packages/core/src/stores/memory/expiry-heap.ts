import type { KeyRecords } from './key-records.js';

/**
 * Slots by the time at which to check whether they have expired: a binary heap, the earliest first. A later expiry moves
 * a slot only when it comes to the front, because most algorithms put it off at every charge.
 *
 * It also hands out the slots: those without a key stand behind the heap.
 */
export class ExpiryHeap {
  readonly #records: KeyRecords;
  /** Every slot once: first the heap, then the free slots. */
  #order: Uint32Array;
  #size = 0;

  /** @param records hold the time and the place of each slot */
  constructor(capacity: number, records: KeyRecords) {
    this.#order = numbersBelow(capacity);
    this.#records = records;
  }

  get size(): number {
    return this.#size;
  }

  /** The slot at a place. The slot at place 0 is the earliest. */
  at(place: number): number {
    return this.#order[place]!;
  }

  /** Whether a slot is in the heap, and not free. */
  holds(slot: number): boolean {
    const place = this.#records.placeOf(slot);
    // The place of a slot that was never used is not set.
    return place < this.#size && this.#order[place] === slot;
  }

  /** Takes a free slot. There must be one. */
  add(checkAt: number): number {
    const place = this.#size;
    const slot = this.#order[place]!;
    this.#size += 1;
    this.#records.setCheckAt(slot, checkAt);
    this.#rise(slot, place);
    return slot;
  }

  /** Moves a slot forward if it must be checked earlier. */
  advance(slot: number, checkAt: number): void {
    if (checkAt >= this.#records.checkAtOf(slot)) return;
    this.#records.setCheckAt(slot, checkAt);
    this.#rise(slot, this.#records.placeOf(slot));
  }

  /** Moves the first slot back. */
  postponeFirst(checkAt: number): void {
    const slot = this.#order[0]!;
    this.#records.setCheckAt(slot, checkAt);
    this.#sink(slot, 0);
  }

  /** Sets the time of every slot: O(n), where moving them one by one is O(n log n). */
  rebuild(checkAtOf: (slot: number) => number): void {
    for (let place = 0; place < this.#size; place += 1) {
      const slot = this.#order[place]!;
      this.#records.setCheckAt(slot, checkAtOf(slot));
    }
    for (let place = (this.#size >>> 1) - 1; place >= 0; place -= 1) this.#sink(this.#order[place]!, place);
  }

  remove(slot: number): void {
    const place = this.#records.placeOf(slot);
    this.#size -= 1;
    const last = this.#order[this.#size]!;
    this.#put(slot, this.#size);
    if (last === slot) return;
    this.#put(last, place);
    this.#rise(last, place);
    this.#sink(last, this.#records.placeOf(last));
  }

  grow(capacity: number): void {
    const order = numbersBelow(capacity);
    order.set(this.#order);
    this.#order = order;
  }

  #rise(slot: number, from: number): void {
    const checkAt = this.#records.checkAtOf(slot);
    let place = from;
    while (place > 0) {
      const parent = this.#order[(place - 1) >>> 1]!;
      if (this.#records.checkAtOf(parent) <= checkAt) break;
      this.#put(parent, place);
      place = (place - 1) >>> 1;
    }
    this.#put(slot, place);
  }

  #sink(slot: number, from: number): void {
    const checkAt = this.#records.checkAtOf(slot);
    let place = from;
    for (let child = place * 2 + 1; child < this.#size; child = place * 2 + 1) {
      const right = child + 1;
      if (right < this.#size && this.#checkAtPlace(right) < this.#checkAtPlace(child)) child = right;
      if (this.#checkAtPlace(child) >= checkAt) break;
      this.#put(this.#order[child]!, place);
      place = child;
    }
    this.#put(slot, place);
  }

  #checkAtPlace(place: number): number {
    return this.#records.checkAtOf(this.#order[place]!);
  }

  #put(slot: number, place: number): void {
    this.#order[place] = slot;
    this.#records.setPlace(slot, place);
  }
}

function numbersBelow(capacity: number): Uint32Array {
  const numbers = new Uint32Array(capacity);
  for (let number = 0; number < capacity; number += 1) numbers[number] = number;
  return numbers;
}
