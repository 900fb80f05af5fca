import type { SlotRows } from './slot-rows.js';

/**
 * Slots by when they are due to be looked at, which is when they expire or before: a binary heap, the earliest first. A
 * slot whose deadline moves on stays where it is until it comes to the front; with the algorithms that put it off at
 * every charge, a heap in order at any time is walked through at every charge.
 *
 * It hands the slots out itself: those that are free stand behind the heap.
 */
export class DueHeap {
  readonly #rows: SlotRows;
  /** Every slot once: first the heap, then the free. */
  #order: Uint32Array;
  #size = 0;

  /** @param rows where each slot notes when it is due, and its place in the heap */
  constructor(capacity: number, rows: SlotRows) {
    this.#order = slots(capacity);
    this.#rows = rows;
  }

  get size(): number {
    return this.#size;
  }

  /** The slot at a place: none is due before the one at place 0. */
  at(place: number): number {
    return this.#order[place]!;
  }

  /** Takes a free slot. There has to be one. */
  add(due: number): number {
    const place = this.#size;
    const slot = this.#order[place]!;
    this.#size += 1;
    this.#rows.setDue(slot, due);
    this.#rise(slot, place);
    return slot;
  }

  /** Has a slot be due at a deadline at the latest. */
  advance(slot: number, deadline: number): void {
    if (deadline >= this.#rows.dueOf(slot)) return;
    this.#rows.setDue(slot, deadline);
    this.#rise(slot, this.#rows.placeOf(slot));
  }

  /** Has the first slot be due later. */
  postponeFirst(due: number): void {
    const slot = this.#order[0]!;
    this.#rows.setDue(slot, due);
    this.#sink(slot, 0);
  }

  /** Has every slot be due when it is told: when many have to be put off, in less time than one by one. */
  renew(dueOf: (slot: number) => number): void {
    for (let place = 0; place < this.#size; place += 1) {
      const slot = this.#order[place]!;
      this.#rows.setDue(slot, dueOf(slot));
    }
    for (let place = (this.#size >>> 1) - 1; place >= 0; place -= 1) this.#sink(this.#order[place]!, place);
  }

  remove(slot: number): void {
    const place = this.#rows.placeOf(slot);
    this.#size -= 1;
    const last = this.#order[this.#size]!;
    this.#put(slot, this.#size);
    if (last === slot) return;
    this.#put(last, place);
    this.#rise(last, place);
    this.#sink(last, this.#rows.placeOf(last));
  }

  grow(capacity: number): void {
    const order = slots(capacity);
    order.set(this.#order);
    this.#order = order;
  }

  #rise(slot: number, from: number): void {
    const due = this.#rows.dueOf(slot);
    let place = from;
    while (place > 0) {
      const parent = this.#order[(place - 1) >>> 1]!;
      if (this.#rows.dueOf(parent) <= due) break;
      this.#put(parent, place);
      place = (place - 1) >>> 1;
    }
    this.#put(slot, place);
  }

  #sink(slot: number, from: number): void {
    const due = this.#rows.dueOf(slot);
    let place = from;
    for (let child = place * 2 + 1; child < this.#size; child = place * 2 + 1) {
      const right = child + 1;
      if (right < this.#size && this.#dueAt(right) < this.#dueAt(child)) child = right;
      if (this.#dueAt(child) >= due) break;
      this.#put(this.#order[child]!, place);
      place = child;
    }
    this.#put(slot, place);
  }

  #dueAt(place: number): number {
    return this.#rows.dueOf(this.#order[place]!);
  }

  #put(slot: number, place: number): void {
    this.#order[place] = slot;
    this.#rows.setPlace(slot, place);
  }
}

function slots(capacity: number): Uint32Array {
  const numbers = new Uint32Array(capacity);
  for (let slot = 0; slot < capacity; slot += 1) numbers[slot] = slot;
  return numbers;
}
