import { algorithmOf } from '../../algorithms/algorithm.js';
import type { Claim } from '../../model/claim.js';
import type { Policy } from '../../model/policy.js';
import { ExpiryHeap } from './expiry-heap.js';
import { KeyIndex, NONE } from './key-index.js';
import { KeyRecords } from './key-records.js';
import { PolicyPool } from './policy-pool.js';

const FIRST_CAPACITY = 16;
const MAX_TEXTS_PER_KEY = 20;
/** One of so many keys is checked one by one before all of them are checked together. */
const KEYS_PER_CHECK = 16;

/**
 * All keys with their states. Each key has a slot, which is the number of its record:
 *
 *     KeyIndex    key ──▶ slot
 *     KeyRecords  slot ──▶ │ state: two numbers, or      │ check at │ place in │ policy, kind │
 *                          │ one and two counts          │          │ the heap │ of the state │
 *                          0                            16         24         28             32 bytes
 *     ExpiryHeap  slots, by the time at which to check whether they have expired; then the free slots
 *     PolicyPool  number in the record ──▶ policy
 *
 * The capacity doubles when no slot is free. Other states and recorded strings are in Maps by slot.
 */
export class KeyTable {
  readonly #maxKeys: number;
  #capacity = FIRST_CAPACITY;
  readonly #index = new KeyIndex(FIRST_CAPACITY);
  readonly #records = new KeyRecords(FIRST_CAPACITY);
  readonly #heap = new ExpiryHeap(FIRST_CAPACITY, this.#records);
  readonly #policies = new PolicyPool();
  readonly #texts = new Map<number, string[]>();

  /** @param maxKeys 16 or more */
  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  get size(): number {
    return this.#heap.size;
  }

  /** Different policies in use. */
  get policies(): number {
    return this.#policies.size;
  }

  /** Keys that fit before one must be removed. */
  get free(): number {
    return this.#maxKeys - this.size;
  }

  /** Keys at most. Slots are numbers below it. */
  get maxKeys(): number {
    return this.#maxKeys;
  }

  /** The slot of a key, or NONE. */
  find(key: string): number {
    return this.#index.find(key);
  }

  /** The slot of the key of a claim, or NONE. With a hint that is right, the text of the key is not read. */
  slotOf({ key, slotHint }: Pick<Claim, 'key' | 'slotHint'>): number {
    if (slotHint === undefined) return this.find(key);
    if (this.#index.isAt(slotHint.slot, key)) return slotHint.slot;
    const slot = this.find(key);
    if (slot !== NONE) slotHint.slot = slot;
    return slot;
  }

  /** A slot in use, by a number below `size`. */
  at(place: number): number {
    return this.#heap.at(place);
  }

  /** Whether a slot has a key. */
  holds(slot: number): boolean {
    return this.#heap.holds(slot);
  }

  policyOf(slot: number): Policy {
    return this.#policies.at(this.#records.policyOf(slot));
  }

  stateOf(slot: number): unknown {
    return this.#records.stateOf(slot);
  }

  /** When the state is as good as none, in microseconds. */
  expiresAt(slot: number): number {
    return expiryOf(this.policyOf(slot), this.stateOf(slot));
  }

  /** Adds a key. There must be room. */
  add(key: string, policy: Policy, state: unknown): number {
    if (this.size === this.#capacity) this.#grow(Math.min(this.#maxKeys, this.#capacity * 2));
    const slot = this.#heap.add(expiryOf(policy, state));
    this.#index.add(key, slot);
    this.#records.write(slot, this.#policies.acquire(policy), state);
    return slot;
  }

  write(slot: number, policy: Policy, state: unknown): void {
    const before = this.#records.policyOf(slot);
    if (this.#policies.at(before) === policy) this.#records.write(slot, before, state);
    else {
      this.#records.write(slot, this.#policies.acquire(policy), state);
      this.#policies.release(before);
    }
    this.#heap.advance(slot, expiryOf(policy, state));
  }

  /** Copies the numbers of a state. @returns false for a state under another policy, or of another form */
  load(slot: number, policy: Policy, width: 2 | 3, cells: Float64Array, at: number): boolean {
    return this.policyOf(slot) === policy && this.#records.load(slot, width, cells, at);
  }

  /** Copies the numbers of a state back. It must not expire earlier, or `checkEarlier` must follow. */
  store(slot: number, width: 2 | 3, cells: Float64Array, at: number): void {
    this.#records.store(slot, width, cells, at);
  }

  checkEarlier(slot: number): void {
    this.#heap.advance(slot, this.expiresAt(slot));
  }

  /** A key has recorded strings. */
  get hasTexts(): boolean {
    return this.#texts.size > 0;
  }

  remove(slot: number): void {
    this.#index.remove(slot);
    this.#heap.remove(slot);
    this.#policies.release(this.#records.policyOf(slot));
    this.#records.clear(slot);
    this.#texts.delete(slot);
  }

  /** Removes up to `count` expired keys: as many as there are. */
  makeRoom(now: number, count: number): void {
    let checks = Math.ceil(this.size / KEYS_PER_CHECK);
    for (let removed = 0; removed < count && this.#isCheckDue(now); checks -= 1) {
      // After a long pause all checks may be due, and few keys expired.
      if (checks === 0) this.#heap.rebuild((slot) => this.expiresAt(slot));
      else if (this.#checkFirst(now)) removed += 1;
    }
  }

  /** Checks up to `count` keys, and removes those that have expired. Called often, it removes all of them soon. */
  expireSome(now: number, count: number): void {
    for (let checked = 0; checked < count && this.#isCheckDue(now); checked += 1) this.#checkFirst(now);
  }

  /** Records a string with a key. The newest twenty stay, as long as the key. */
  addText(slot: number, text: string): void {
    const texts = this.#texts.get(slot) ?? [];
    texts.unshift(text);
    if (texts.length > MAX_TEXTS_PER_KEY) texts.pop();
    this.#texts.set(slot, texts);
  }

  /** Drops the texts of a key that has expired, because a new count begins. */
  dropExpiredTexts(slot: number, now: number): void {
    if (this.#texts.size > 0 && this.expiresAt(slot) <= now) this.#texts.delete(slot);
  }

  /** The strings recorded with a key, newest first. */
  textsOf(slot: number): readonly string[] {
    return [...(this.#texts.get(slot) ?? [])];
  }

  #isCheckDue(now: number): boolean {
    return this.size > 0 && this.#records.checkAtOf(this.#heap.at(0)) <= now;
  }

  /** Removes the first key of the heap if it has expired. @returns true if it has */
  #checkFirst(now: number): boolean {
    const first = this.#heap.at(0);
    const expiresAt = this.expiresAt(first);
    if (expiresAt > now) {
      this.#heap.postponeFirst(expiresAt);
      return false;
    }
    this.remove(first);
    return true;
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#index.grow(capacity);
    this.#heap.grow(capacity);
    this.#records.grow(capacity);
  }
}

function expiryOf(policy: Policy, state: unknown): number {
  return algorithmOf(policy).expiresAt(state, policy) * policy.tick;
}
