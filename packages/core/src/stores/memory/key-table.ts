import { algorithmOf } from '../../algorithms/index.js';
import type { Policy } from '../../model/policy.js';
import { DeadlineHeap } from './deadline-heap.js';
import { KeyIndex } from './key-index.js';
import { PolicyList } from './policy-list.js';
import { StateColumns } from './state-columns.js';

const FIRST_CAPACITY = 16;
const NOTES_MAX = 20;

/** What is kept of each key, in columns by slot that double as they fill: some 50 bytes a slot, besides the key. */
export class KeyTable {
  readonly #bound: number;
  #capacity = FIRST_CAPACITY;
  readonly #index = new KeyIndex(FIRST_CAPACITY);
  readonly #deadlines = new DeadlineHeap(FIRST_CAPACITY);
  readonly #states = new StateColumns(FIRST_CAPACITY);
  readonly #policies = new PolicyList();
  #policyOf = new Uint32Array(FIRST_CAPACITY);
  readonly #notes = new Map<number, string[]>();

  /** @param bound keys at most, 16 or more */
  constructor(bound: number) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#deadlines.size;
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
    return this.#deadlines.at(place);
  }

  policyOf(slot: number): Policy {
    return this.#policies.at(this.#policyOf[slot]!);
  }

  stateOf(slot: number): unknown {
    return this.#states.read(slot);
  }

  /** When the state becomes worthless, in microseconds. */
  deadlineOf(slot: number): number {
    return this.#deadlines.deadlineOf(slot);
  }

  /** Adds a key. There has to be room. */
  add(key: string, policy: Policy, state: unknown): number {
    if (this.size === this.#capacity) this.#grow(Math.min(this.#bound, this.#capacity * 2));
    const slot = this.#deadlines.add(deadline(policy, state));
    this.#index.add(key, slot);
    this.#policyOf[slot] = this.#policies.acquire(policy);
    this.#states.write(slot, state);
    return slot;
  }

  write(slot: number, policy: Policy, state: unknown): void {
    const before = this.#policyOf[slot]!;
    if (this.#policies.at(before) !== policy) {
      this.#policyOf[slot] = this.#policies.acquire(policy);
      this.#policies.release(before);
    }
    this.#states.write(slot, state);
    this.#deadlines.move(slot, deadline(policy, state));
  }

  remove(slot: number): void {
    this.#index.remove(slot);
    this.#deadlines.remove(slot);
    this.#states.clear(slot);
    this.#policies.release(this.#policyOf[slot]!);
    this.#notes.delete(slot);
  }

  /** Removes at most `count` keys that have expired: as long as any has, it finds one. */
  sweep(now: number, count: number): void {
    for (let removed = 0; removed < count && this.size > 0; removed += 1) {
      const first = this.#deadlines.at(0);
      if (this.#deadlines.deadlineOf(first) > now) return;
      this.remove(first);
    }
  }

  /** Keeps a text with a key as long as the key is kept, of twenty the newest. */
  note(slot: number, text: string): void {
    const notes = this.#notes.get(slot) ?? [];
    notes.unshift(text);
    if (notes.length > NOTES_MAX) notes.pop();
    this.#notes.set(slot, notes);
  }

  dropNotes(slot: number): void {
    this.#notes.delete(slot);
  }

  /** The texts of a key, newest first. */
  notesOf(slot: number): readonly string[] {
    return [...(this.#notes.get(slot) ?? [])];
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#index.grow(capacity);
    this.#deadlines.grow(capacity);
    this.#states.grow(capacity);
    const policyOf = new Uint32Array(capacity);
    policyOf.set(this.#policyOf);
    this.#policyOf = policyOf;
  }
}

function deadline(policy: Policy, state: unknown): number {
  return algorithmOf(policy).expiresAt(state, policy) * policy.tick;
}
