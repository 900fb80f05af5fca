/** Where each row has its time and its place. */
interface Timetable {
  checkAtOf(row: number): number;
  setCheckAt(row: number, time: number): void;
  placeOf(row: number): number;
  setPlace(row: number, place: number): void;
}

/** What the rows stand for. */
interface Owner {
  /** In microseconds. */
  expiresAt(row: number): number;
  /** Called for a row that has expired: calls `remove`. */
  remove(row: number): void;
}

/** One of so many rows is checked one by one before all of them are checked together. */
const ROWS_PER_CHECK = 16;

/**
 * Rows by the time at which to check whether they have expired: a binary heap, the earliest first. A later expiry moves
 * a row only when it comes to the front, because most algorithms put it off at every charge.
 *
 * It also hands out the rows: those without a key stand behind the heap.
 */
export class ExpiryHeap {
  readonly #records: Timetable;
  readonly #owner: Owner;
  /** Every row once: first the heap, then the free rows. */
  #order: Uint32Array;
  #size = 0;
  /** When the first row must be checked, or Infinity. A field, so that a check that removes nothing reads one number. */
  nextCheckAt = Infinity;

  /** @param records hold the time and the place of each row */
  constructor(capacity: number, records: Timetable, owner: Owner) {
    this.#order = numbersBelow(capacity);
    this.#records = records;
    this.#owner = owner;
  }

  get size(): number {
    return this.#size;
  }

  /** The row at a place. The row at place 0 is the earliest. */
  at(place: number): number {
    return this.#order[place]!;
  }

  /** Whether a row is in the heap, and not free. */
  holds(row: number): boolean {
    const place = this.#records.placeOf(row);
    // The place of a row that was never used is not set.
    return place < this.#size && this.#order[place] === row;
  }

  /** Takes a free row, which is checked when `advance` says. There must be one. */
  take(): number {
    const row = this.#order[this.#size]!;
    this.#put(row, this.#size);
    this.#size += 1;
    this.#records.setCheckAt(row, Infinity);
    return row;
  }

  /** Moves a row forward if it must be checked earlier. */
  advance(row: number, checkAt: number): void {
    if (checkAt >= this.#records.checkAtOf(row)) return;
    this.#records.setCheckAt(row, checkAt);
    this.#rise(row, this.#records.placeOf(row));
    this.#look();
  }

  /** Removes up to `count` expired rows: as many as there are. */
  makeRoom(now: number, count: number): void {
    let checks = Math.ceil(this.#size / ROWS_PER_CHECK);
    for (let removed = 0; removed < count && this.nextCheckAt <= now; checks -= 1) {
      // After a long pause all checks may be due, and few rows expired.
      if (checks === 0) this.#rebuild();
      else if (this.#checkFirst(now)) removed += 1;
    }
  }

  /** Checks up to `count` rows, and removes those that have expired. */
  expireSome(now: number, count: number): void {
    for (let checked = 0; checked < count && this.nextCheckAt <= now; checked += 1) this.#checkFirst(now);
  }

  remove(row: number): void {
    const place = this.#records.placeOf(row);
    this.#size -= 1;
    const last = this.#order[this.#size]!;
    this.#put(row, this.#size);
    if (last !== row) {
      this.#put(last, place);
      this.#rise(last, place);
      this.#sink(last, this.#records.placeOf(last));
    }
    this.#look();
  }

  grow(capacity: number): void {
    const order = numbersBelow(capacity);
    order.set(this.#order);
    this.#order = order;
  }

  /** Removes the first row if it has expired, else moves it back. @returns true if it has */
  #checkFirst(now: number): boolean {
    const row = this.#order[0]!;
    const expiresAt = this.#owner.expiresAt(row);
    if (expiresAt <= now) {
      this.#owner.remove(row);
      return true;
    }
    this.#records.setCheckAt(row, expiresAt);
    this.#sink(row, 0);
    this.#look();
    return false;
  }

  /** Sets the time of every row: O(n), where moving them one by one is O(n log n). */
  #rebuild(): void {
    for (let place = 0; place < this.#size; place += 1) {
      const row = this.#order[place]!;
      this.#records.setCheckAt(row, this.#owner.expiresAt(row));
    }
    for (let place = (this.#size >>> 1) - 1; place >= 0; place -= 1) this.#sink(this.#order[place]!, place);
    this.#look();
  }

  #look(): void {
    this.nextCheckAt = this.#size === 0 ? Infinity : this.#records.checkAtOf(this.#order[0]!);
  }

  #rise(row: number, from: number): void {
    const checkAt = this.#records.checkAtOf(row);
    let place = from;
    while (place > 0) {
      const parent = this.#order[(place - 1) >>> 1]!;
      if (this.#records.checkAtOf(parent) <= checkAt) break;
      this.#put(parent, place);
      place = (place - 1) >>> 1;
    }
    this.#put(row, place);
  }

  #sink(row: number, from: number): void {
    const checkAt = this.#records.checkAtOf(row);
    let place = from;
    for (let child = place * 2 + 1; child < this.#size; child = place * 2 + 1) {
      const right = child + 1;
      if (right < this.#size && this.#checkAtPlace(right) < this.#checkAtPlace(child)) child = right;
      if (this.#checkAtPlace(child) >= checkAt) break;
      this.#put(this.#order[child]!, place);
      place = child;
    }
    this.#put(row, place);
  }

  #checkAtPlace(place: number): number {
    return this.#records.checkAtOf(this.#order[place]!);
  }

  #put(row: number, place: number): void {
    this.#order[place] = row;
    this.#records.setPlace(row, place);
  }
}

function numbersBelow(capacity: number): Uint32Array {
  const numbers = new Uint32Array(capacity);
  for (let number = 0; number < capacity; number += 1) numbers[number] = number;
  return numbers;
}
