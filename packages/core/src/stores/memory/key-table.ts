import { algorithmOf } from '../../algorithms/index.js';
import type { Policy } from '../../model/policy.js';
import { DueHeap } from './due-heap.js';
import { KeyIndex } from './key-index.js';
import { PolicyList } from './policy-list.js';
import { SlotRows } from './slot-rows.js';

const FIRST_CAPACITY = 16;
const NOTES_MAX = 20;
/** One of so many keys is looked at by itself to make room, before all are. */
const LOOKED_AT = 16;

/** What is kept of each key: by slots, of which there are twice as many whenever they are all taken. */
export class KeyTable {
  readonly #bound: number;
  #capacity = FIRST_CAPACITY;
  readonly #index = new KeyIndex(FIRST_CAPACITY);
  readonly #rows = new SlotRows(FIRST_CAPACITY);
  readonly #heap = new DueHeap(FIRST_CAPACITY, this.#rows);
  readonly #policies = new PolicyList();
  readonly #notes = new Map<number, string[]>();

  /** @param bound keys at most, 16 or more */
  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#heap.size;
  }

  /** Different policies that the keys have. */
  get policies(): number {
    return this.#policies.size;
  }

  /** Keys that can be added before one has to be removed. */
  get free(): number {
    return this.#bound - this.size;
  }

  /** The slot of a key, or NONE. */
  find(key: string): number {
    return this.#index.find(key);
  }

  /** Any slot that is taken, by a number below `size`. */
  at(place: number): number {
    return this.#heap.at(place);
  }

  policyOf(slot: number): Policy {
    return this.#policies.at(this.#rows.policyOf(slot));
  }

  stateOf(slot: number): unknown {
    return this.#rows.stateOf(slot);
  }

  /** When the state becomes worthless, in microseconds. */
  deadlineOf(slot: number): number {
    return deadline(this.policyOf(slot), this.stateOf(slot));
  }

  /** Adds a key. There has to be room. */
  add(key: string, policy: Policy, state: unknown): number {
    if (this.size === this.#capacity) this.#grow(Math.min(this.#bound, this.#capacity * 2));
    const slot = this.#heap.add(deadline(policy, state));
    this.#index.add(key, slot);
    this.#rows.write(slot, this.#policies.acquire(policy), state);
    return slot;
  }

  write(slot: number, policy: Policy, state: unknown): void {
    const before = this.#rows.policyOf(slot);
    if (this.#policies.at(before) === policy) {
      this.#rows.write(slot, before, state);
    } else {
      this.#rows.write(slot, this.#policies.acquire(policy), state);
      this.#policies.release(before);
    }
    this.#heap.advance(slot, deadline(policy, state));
  }

  remove(slot: number): void {
    this.#index.remove(slot);
    this.#heap.remove(slot);
    this.#policies.release(this.#rows.policyOf(slot));
    this.#rows.clear(slot);
    this.#notes.delete(slot);
  }

  /** Removes at most `count` keys that have expired: as long as any has, it finds one. */
  sweep(now: number, count: number): void {
    let looks = Math.ceil(this.size / LOOKED_AT);
    for (let removed = 0; removed < count && this.#isFirstDue(now); looks -= 1) {
      // After a silence all of them may have to be put off.
      if (looks === 0) this.#heap.renew((slot) => this.deadlineOf(slot));
      else removed += this.#lookAtFirst(now);
    }
  }

  /** Looks at most at `count` keys, and removes those that have expired: soon all that have, if it is called often. */
  tidy(now: number, count: number): void {
    for (let looked = 0; looked < count && this.#isFirstDue(now); looked += 1) this.#lookAtFirst(now);
  }

  /** Keeps a text with a key as long as the key is kept, of twenty the newest. */
  note(slot: number, text: string): void {
    const notes = this.#notes.get(slot) ?? [];
    notes.unshift(text);
    if (notes.length > NOTES_MAX) notes.pop();
    this.#notes.set(slot, notes);
  }

  /** A key that has expired begins anew. */
  dropExpiredNotes(slot: number, now: number): void {
    if (this.#notes.size > 0 && this.deadlineOf(slot) <= now) this.#notes.delete(slot);
  }

  /** The texts of a key, newest first. */
  notesOf(slot: number): readonly string[] {
    return [...(this.#notes.get(slot) ?? [])];
  }

  #isFirstDue(now: number): boolean {
    return this.size > 0 && this.#rows.dueOf(this.#heap.at(0)) <= now;
  }

  /** Returns how many keys it has removed. */
  #lookAtFirst(now: number): number {
    const first = this.#heap.at(0);
    const until = this.deadlineOf(first);
    if (until > now) {
      this.#heap.postponeFirst(until);
      return 0;
    }
    this.remove(first);
    return 1;
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#index.grow(capacity);
    this.#heap.grow(capacity);
    this.#rows.grow(capacity);
  }
}

function deadline(policy: Policy, state: unknown): number {
  return algorithmOf(policy).expiresAt(state, policy) * policy.tick;
}
