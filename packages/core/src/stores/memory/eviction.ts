import { algorithmOf } from '../../algorithms/algorithm.js';
import { NONE } from './key-index.js';
import { type KeyRecords, SHIFT } from './key-records.js';

/** Rows that a choice compares. */
const NEIGHBOURS = 8;
/** Rows that it reads while they offer much less than the latest one that went. */
const MOST_NEIGHBOURS = 64;
/** By this part less. */
const MUCH_LESS = 0.9;
/** The most rows that a search reads, which takes about 0.5 ms. */
const READ_ROWS = 1_024;
/** The most rows that a search passes because they have no state to read, which takes about 0.1 ms. */
const PASSED_ROWS = 65_536;

/** The share of a row that must stay. */
const STAYS = -1;

/**
 * Chooses the keys that leave a full table: never one that denies, because a client could flood the store to be admitted
 * again. So that a table of denying keys costs little, each of them is read once, and again when its denial has ended.
 */
export class Eviction {
  readonly #records: KeyRecords;
  readonly #maxKeys: number;
  readonly #random: () => number;
  readonly #cells = new Float64Array(3);
  /** Goes round the rows, because the records of neighbours are read faster than others. */
  #hand = 0;
  /** The share that the latest row had left. */
  #latestShare = 1;
  /**
   * For each row the time until which it must stay, in microseconds. The array is made when it is needed, because most
   * tables are never full of such rows.
   */
  #staysUntil: Float64Array | undefined;
  /** Where the next search begins. */
  #searched = 0;
  /** Rows that searches have passed in vain since a key has changed. */
  #passed = 0;
  /** The earliest end of a stay among them. */
  #firstEnd = Infinity;

  constructor(records: KeyRecords, maxKeys: number, random = Math.random) {
    this.#records = records;
    this.#maxKeys = maxKeys;
    this.#random = random;
  }

  /**
   * The slot of the key to evict: of eight neighbours the one with the largest share of its budget left, which loses
   * least. If all of them must stay, the next key that need not. A table of 1 024 keys is searched whole, a larger one over
   * several calls.
   *
   * @param now microseconds
   * @param slots whose keys must stay: the first `count` of them
   * @returns NONE if no key was found
   */
  pick(now: number, slots: ArrayLike<number>, count: number): number {
    if (this.#passed >= this.#maxKeys && now < this.#firstEnd) return NONE;
    let row = this.#bestNeighbour(now, slots, count);
    if (row === NONE) row = this.#search(now, slots, count);
    return row === NONE ? NONE : row << SHIFT;
  }

  /** Called when the state of a row has changed. */
  forget(row: number): void {
    if (this.#staysUntil === undefined) return;
    this.#staysUntil[row] = 0;
    this.#passed = 0;
    this.#firstEnd = Infinity;
  }

  #bestNeighbour(now: number, slots: ArrayLike<number>, count: number): number {
    const { length } = this.#records.keys;
    const least = this.#latestShare * MUCH_LESS;
    let row = (this.#hand + Math.floor(this.#random() * NEIGHBOURS)) % length;
    let best = NONE;
    let largest = STAYS;
    let read = 0;
    // As much as the latest row had left is enough: the others of a flood have no more.
    while (read < MOST_NEIGHBOURS && largest < (read < NEIGHBOURS ? this.#latestShare : least)) {
      const share = this.#isSpared(row, slots, count) ? STAYS : this.#shareLeft(row, now);
      if (share > largest) {
        best = row;
        largest = share;
      }
      row = row + 1 === length ? 0 : row + 1;
      read += 1;
    }
    this.#hand = (this.#hand + Math.max(read, NEIGHBOURS)) % length;
    if (best !== NONE) this.#latestShare = largest;
    return best;
  }

  #search(now: number, slots: ArrayLike<number>, count: number): number {
    const ends = (this.#staysUntil ??= new Float64Array(this.#maxKeys));
    const { length } = this.#records.keys;
    if (this.#passed >= this.#maxKeys) {
      this.#passed = 0;
      this.#firstEnd = Infinity;
    }
    let reads = READ_ROWS;
    for (let left = Math.min(length, PASSED_ROWS); left > 0 && reads > 0; left -= 1) {
      const row = this.#searched;
      if (ends[row]! <= now && this.#records.keys[row] !== undefined) {
        reads -= 1;
        ends[row] = this.#endOfStay(row, now);
        if (ends[row] <= now && !this.#isSpared(row, slots, count)) return row;
      }
      this.#firstEnd = Math.min(this.#firstEnd, ends[row]!);
      this.#passed += 1;
      this.#searched = (row + 1) % length;
    }
    return NONE;
  }

  #isSpared(row: number, slots: ArrayLike<number>, count: number): boolean {
    for (let index = 0; index < count; index += 1) {
      const slot = slots[index]!;
      if (slot !== NONE && slot >>> SHIFT === row) return true;
    }
    return false;
  }

  /** The part of its budget that requests can still spend, the smallest of a row. STAYS for a row that must stay, or is free. */
  #shareLeft(row: number, now: number): number {
    const { states } = this.#records;
    let least = Infinity;
    for (let slot = row << SHIFT; slot < (row << SHIFT) + states; slot += 1) {
      if (this.#records.holds(slot)) least = Math.min(least, this.#shareIn(slot, now));
    }
    return least === Infinity ? STAYS : least;
  }

  #shareIn(slot: number, now: number): number {
    const policy = this.#records.policyOf(slot);
    const algorithm = algorithmOf(policy);
    const ticks = policy.tick === 1 ? now : Math.floor(now / policy.tick);
    const kernel = algorithm.kernel(policy);
    if (kernel === undefined || this.#records.widthOf(slot) !== kernel.width) {
      if (this.#endIn(slot, now) > now) return STAYS;
      const state = algorithm.read(this.#records.stateOf(slot), ticks, policy);
      return partOf(algorithm.remaining(state, ticks, policy) - algorithm.overdraft(policy), policy.quota);
    }
    this.#records.copy(slot, kernel.width, this.#cells, 0);
    kernel.roll(this.#cells, 0, ticks, policy);
    const units = kernel.remaining(this.#cells, 0, ticks, policy) - algorithm.overdraft(policy);
    return units < 1 ? STAYS : partOf(units, policy.quota);
  }

  /** Until when a row must stay, in microseconds. */
  #endOfStay(row: number, now: number): number {
    const { states } = this.#records;
    let latest = 0;
    for (let slot = row << SHIFT; slot < (row << SHIFT) + states; slot += 1) {
      if (this.#records.holds(slot)) latest = Math.max(latest, this.#endIn(slot, now));
    }
    return latest;
  }

  /** Until when a state must stay: usually while it denies one unit. */
  #endIn(slot: number, now: number): number {
    const policy = this.#records.policyOf(slot);
    const algorithm = algorithmOf(policy);
    const ticks = Math.floor(now / policy.tick);
    const state = algorithm.read(this.#records.stateOf(slot), ticks, policy);
    if (algorithm.staysUntil) return algorithm.staysUntil(state, ticks) * policy.tick;
    const overdraft = algorithm.overdraft(policy);
    const wait = algorithm.wait(state, ticks, policy, overdraft + 1);
    return wait === 0 ? 0 : (ticks + wait) * policy.tick;
  }
}

/** A backoff may have no free strikes. */
function partOf(units: number, quota: number): number {
  return quota === 0 ? 0 : units / quota;
}
