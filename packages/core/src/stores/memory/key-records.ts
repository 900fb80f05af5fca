import type { Policy } from '../../model/policy.js';
import type { PolicyPool } from './policy-pool.js';

/** A slot is the number of a row, shifted by so many bits, and the index of a state. */
export const SHIFT = 2;
const INDEX = 2 ** SHIFT - 1;

const CHECK_AT = 0;
/** In words of four bytes, of which a double is two. */
const PLACE = 2;
const POLICY = 3;

/** Numbers of a state. */
type Width = 2 | 3;

/**
 * The keys and their records, in one typed array: what every check reads and writes. A row is a key, which has one state, or
 * several where tiers count side by side. Its record, with one state:
 *
 *     │ check at │ place in │ of each state: its     │ each state: two numbers, │
 *     │          │ the heap │ policy, and its form   │ or one and two counts    │
 *     0          8          12                       16                         32 bytes
 *
 * States of two or three numbers take no object; others (long rings, logs) are in a Map by slot.
 */
export class KeyRecords {
  /** By row. Undefined for a row that is free. */
  readonly keys: (string | undefined)[] = [];
  /** States of a row. */
  readonly states: number;
  /** Doubles before the states of a record, and of the record. */
  readonly #head: number;
  readonly #stride: number;
  #doubles = new Float64Array();
  /** The same memory. */
  #words = new Uint32Array();
  readonly #objects = new Map<number, unknown>();
  readonly #policies: PolicyPool;
  readonly #cells = new Float64Array(3);

  constructor(rows: number, policies: PolicyPool, states = 1) {
    this.states = states;
    this.#head = (POLICY + states + 1) >>> 1;
    this.#stride = this.#head + 2 * states;
    this.#policies = policies;
    this.grow(rows);
  }

  /** States that take an object. */
  get objects(): number {
    return this.#objects.size;
  }

  /** Whether a slot is the first one in the row of a key. */
  has(slot: number, key: string): boolean {
    return this.keys[slot >>> SHIFT] === key && (slot & INDEX) === 0;
  }

  /** Whether a slot has a state. */
  holds(slot: number): boolean {
    return (this.#words[this.#policyAt(slot)]! & FORM) !== ABSENT;
  }

  /** Whether a row has no state. */
  isEmpty(row: number): boolean {
    for (let index = 0; index < this.states; index += 1) if (this.holds((row << SHIFT) + index)) return false;
    return true;
  }

  /**
   * Copies the numbers of a state. @param key of its row. @param policy its number in the pool
   *
   * @returns false for a row of another key, for a state under another policy, and for one of another form
   */
  load(slot: number, key: string, policy: number, width: Width, cells: Float64Array, at: number): boolean {
    if (this.keys[slot >>> SHIFT] !== key) return false;
    if (this.#words[this.#policyAt(slot)]! !== policy * 4 + width - 1) return false;
    this.copy(slot, width, cells, at);
    return true;
  }

  /** The same for a key that is in its row, by the policy itself. */
  loadOf(slot: number, policy: Policy, width: Width, cells: Float64Array, at: number): boolean {
    const word = this.#words[this.#policyAt(slot)]!;
    if ((word & FORM) !== width - 1 || this.#policies.at(word >>> 2) !== policy) return false;
    this.copy(slot, width, cells, at);
    return true;
  }

  /** Copies the numbers of a state of this width. */
  copy(slot: number, width: Width, cells: Float64Array, at: number): void {
    const double = this.#stateAt(slot);
    cells[at] = this.#doubles[double]!;
    if (width === 2) cells[at + 1] = this.#doubles[double + 1]!;
    else {
      cells[at + 1] = this.#words[double * 2 + 2]!;
      cells[at + 2] = this.#words[double * 2 + 3]!;
    }
  }

  /** Copies the numbers of a state back. */
  store(slot: number, width: Width, cells: Float64Array, at: number): void {
    const double = this.#stateAt(slot);
    this.#doubles[double] = cells[at]!;
    if (width === 2) this.#doubles[double + 1] = cells[at + 1]!;
    else {
      this.#words[double * 2 + 2] = cells[at + 1]!;
      this.#words[double * 2 + 3] = cells[at + 2]!;
    }
  }

  /** Numbers of the state in a slot: 0 for one that is an object, or absent. */
  widthOf(slot: number): Width | 0 {
    const form = this.#words[this.#policyAt(slot)]! & FORM;
    return form === ABSENT || form === OBJECT ? 0 : ((form + 1) as Width);
  }

  /** Undefined where a slot has none. */
  stateOf(slot: number): unknown {
    const width = this.widthOf(slot);
    if (width === 0) return this.#objects.get(slot);
    const cells = this.#cells;
    this.copy(slot, width, cells, 0);
    return width === 2 ? [cells[0], cells[1]] : [cells[0], cells[1], cells[2]];
  }

  policyOf(slot: number): Policy {
    return this.#policies.at(this.#words[this.#policyAt(slot)]! >>> 2);
  }

  write(slot: number, policy: Policy, state: unknown): void {
    const form = formOf(state);
    this.#claim(slot, policy, form);
    if (form === OBJECT) {
      this.#objects.set(slot, state);
      return;
    }
    this.#cells.set(state as readonly number[]);
    this.store(slot, (form + 1) as Width, this.#cells, 0);
  }

  /** Writes the numbers of a state into a slot without one. @param policy its number in the pool */
  put(slot: number, policy: number, width: Width, cells: Float64Array, at: number): void {
    this.#policies.retain(policy);
    this.#words[this.#policyAt(slot)] = policy * 4 + width - 1;
    this.store(slot, width, cells, at);
  }

  clear(slot: number): void {
    const word = this.#policyAt(slot);
    const before = this.#words[word]!;
    if ((before & FORM) === ABSENT) return;
    if ((before & FORM) === OBJECT) this.#objects.delete(slot);
    this.#policies.release(before >>> 2);
    this.#words[word] = ABSENT;
  }

  checkAtOf(row: number): number {
    return this.#doubles[row * this.#stride + CHECK_AT]!;
  }

  setCheckAt(row: number, time: number): void {
    this.#doubles[row * this.#stride + CHECK_AT] = time;
  }

  /** The place of a row in the expiry heap. */
  placeOf(row: number): number {
    return this.#words[row * this.#stride * 2 + PLACE]!;
  }

  setPlace(row: number, place: number): void {
    this.#words[row * this.#stride * 2 + PLACE] = place;
  }

  grow(rows: number): void {
    // Reserves as much as needed. An array that grows on demand reserves half as much again.
    this.keys.length = rows;
    const doubles = new Float64Array(rows * this.#stride);
    doubles.set(this.#doubles);
    this.#doubles = doubles;
    this.#words = new Uint32Array(doubles.buffer);
  }

  /** Gives a slot to a state of a policy. */
  #claim(slot: number, policy: Policy, form: number): void {
    const word = this.#policyAt(slot);
    const before = this.#words[word]!;
    if ((before & FORM) === OBJECT) this.#objects.delete(slot);
    const isNew = (before & FORM) === ABSENT;
    if (!isNew && this.#policies.at(before >>> 2) === policy) {
      this.#words[word] = (before & ~FORM) | form;
      return;
    }
    this.#words[word] = this.#policies.acquire(policy) * 4 + form;
    if (!isNew) this.#policies.release(before >>> 2);
  }

  /** The word with the policy of a state. */
  #policyAt(slot: number): number {
    return (slot >>> SHIFT) * this.#stride * 2 + POLICY + (slot & INDEX);
  }

  /** The first double of a state. */
  #stateAt(slot: number): number {
    return (slot >>> SHIFT) * this.#stride + this.#head + (slot & INDEX) * 2;
  }
}

/** How a record holds a state. The form of a pair and of a ring is one less than their numbers. */
export const ABSENT = 0;
const PAIR = 1;
const RING = 2;
export const OBJECT = 3;
/** The bits of a form. */
export const FORM = 3;

export function formOf(state: unknown): number {
  if (!Array.isArray(state)) return OBJECT;
  if (state.length === 2) return PAIR;
  return state.length === 3 && isWord(state[1]) && isWord(state[2]) ? RING : OBJECT;
}

function isWord(number: number): boolean {
  return number >>> 0 === number;
}
