import type { Policy } from '../../model/policy.js';
import { Eviction } from './eviction.js';
import { ExpiryHeap } from './expiry-heap.js';
import { KeyIndex, NONE } from './key-index.js';
import { KeyRecords, SHIFT } from './key-records.js';
import { KeyRows } from './key-rows.js';
import { KeyTexts } from './key-texts.js';
import { PolicyPool } from './policy-pool.js';
import { expiresAt, rowExpiresAt } from './state-expiry.js';

const FIRST_CAPACITY = 16;
/** From here on, the rows that half of the time nobody needs would be many. */
const LARGE_CAPACITY = 2 ** 16;

/**
 * All keys with their states:
 *
 *     KeyIndex    key ──▶ row
 *     KeyRecords  row ──▶ key, states with their policies, when to check it, place in the heap
 *     ExpiryHeap  rows, by the time at which to check whether they have expired; then the free rows
 *     KeyRows     the tiers whose states share a row
 *     Eviction    the row that leaves a full table
 *
 * The capacity grows when no row is free.
 */
export class KeyTable {
  /** By slot. */
  readonly texts = new KeyTexts();
  /** What a check of a known key reads and writes. */
  records!: KeyRecords;
  readonly #maxKeys: number;
  readonly #policies = new PolicyPool();
  readonly #rows = new KeyRows();
  #capacity = FIRST_CAPACITY;
  #index!: KeyIndex;
  #heap!: ExpiryHeap;
  #eviction!: Eviction;

  /** @param maxKeys 16 or more */
  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
    this.#open();
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
    return this.#maxKeys - this.#heap.size;
  }

  /** The number of a policy that many records will have. It is held for good. */
  pin(policy: Policy): number {
    return this.#policies.acquire(policy);
  }

  /**
   * Lets the tiers of a plan count side by side: the slot of the first one's key is followed by those of the others.
   *
   * @param ends of their store keys behind the digest
   * @returns false where each store key has a slot of its own
   */
  join(ends: readonly string[]): boolean {
    if (!this.#rows.join(ends, this.size === 0)) return false;
    if (this.#rows.states > this.records.states) this.#open();
    return true;
  }

  /** The slot of a key, or NONE. */
  find(key: string): number {
    // A row of one state has it as long as its key is in the index.
    if (this.records.states === 1) return this.rowOf(key);
    const member = this.#rows.memberOf(key);
    const row = this.#index.find(member === undefined ? key : member.key);
    if (row === NONE) return NONE;
    const slot = (row << SHIFT) + (member === undefined ? 0 : member.index);
    return this.records.holds(slot) ? slot : NONE;
  }

  /** The slot of the first state of tiers that count side by side, or NONE. @param key of the first tier */
  rowOf(key: string): number {
    const row = this.#index.find(key);
    return row === NONE ? NONE : row << SHIFT;
  }

  /**
   * A slot for a key that is not in the table: a free one, or that of the key which leaves a full table.
   *
   * @param slots of the request, whose keys stay: the first `count` of them
   * @returns NONE if all keys must stay, and while an expired one could go, which only `makeRoom` finds
   */
  roomFor(now: number, slots: ArrayLike<number>, count: number): number {
    let place = this.#heap.size;
    // The first free rows are those that have been given to other claims of the request.
    for (let index = 0; index < count; index += 1) if (this.#isFree(slots[index]!)) place += 1;
    if (place >= this.#maxKeys) {
      return this.#heap.nextCheckAt <= now ? NONE : this.#eviction.pick(now, slots, count);
    }
    if (place >= this.#capacity) this.#grow(Math.min(this.#maxKeys, larger(this.#capacity)));
    return this.#heap.at(place) << SHIFT;
  }

  /**
   * Adds a key, whose state must follow. A claim of the same request may have added it already.
   *
   * @param room a slot from `roomFor`
   * @returns its slot
   */
  take(room: number, key: string): number {
    const member = this.#rows.memberOf(key);
    const rowKey = member === undefined ? key : member.key;
    const index = member === undefined ? 0 : member.index;
    const known = this.#index.find(rowKey);
    if (known !== NONE) return (known << SHIFT) + index;
    const row = this.free > 0 ? this.#heap.take() : this.#vacate(room >>> SHIFT);
    this.records.keys[row] = rowKey;
    this.#index.add(row);
    return (row << SHIFT) + index;
  }

  /** Adds a key with a state. @param room a slot from `roomFor`. @returns its slot */
  add(room: number, key: string, policy: Policy, state: unknown): number {
    const slot = this.take(room, key);
    this.write(slot, policy, state);
    return slot;
  }

  write(slot: number, policy: Policy, state: unknown): void {
    this.records.write(slot, policy, state);
    this.checkEarlier(slot);
  }

  /** Called when a state may expire earlier than before, or may no longer deny. */
  checkEarlier(slot: number): void {
    const row = slot >>> SHIFT;
    this.#heap.advance(row, rowExpiresAt(this.records, row));
    this.#eviction.forget(row);
  }

  remove(slot: number): void {
    this.records.clear(slot);
    this.texts.drop(slot);
    const row = slot >>> SHIFT;
    if (this.records.isEmpty(row)) this.#removeRow(row);
  }

  /** Those of rows. */
  keysLike(isLike: (key: string) => boolean): readonly string[] {
    return this.records.keys.flatMap((key) => (key !== undefined && isLike(key) ? [key] : []));
  }

  /** Removes up to `count` expired keys: as many as there are. */
  makeRoom(now: number, count: number): void {
    this.#heap.makeRoom(now, count);
  }

  /** Checks up to `count` keys, and removes those that have expired. Called often, it removes all of them soon. */
  expireSome(now: number, count: number): void {
    if (this.#heap.nextCheckAt <= now) this.#heap.expireSome(now, count);
  }

  /** Drops the texts of a key that has expired, because a new count begins. */
  dropExpiredTexts(slot: number, now: number): void {
    if (!this.texts.isEmpty && expiresAt(this.records, slot) <= now) this.texts.drop(slot);
  }

  /** Removes the key of a row that another one takes. */
  #vacate(row: number): number {
    this.#index.unmap(this.#capacity);
    this.#index.remove(row);
    this.#clear(row);
    return row;
  }

  #clear(row: number): void {
    const { states } = this.records;
    for (let slot = row << SHIFT; slot < (row << SHIFT) + states; slot += 1) {
      this.records.clear(slot);
      this.texts.drop(slot);
    }
  }

  #removeRow(row: number): void {
    this.#clear(row);
    this.#index.remove(row);
    this.#heap.remove(row);
    this.records.keys[row] = undefined;
  }

  #isFree(slot: number): boolean {
    return slot >= 0 && !this.#heap.holds(slot >>> SHIFT);
  }

  #open(): void {
    this.#capacity = FIRST_CAPACITY;
    this.records = new KeyRecords(FIRST_CAPACITY, this.#policies, this.#rows.states);
    this.#index = new KeyIndex(FIRST_CAPACITY, this.records.keys);
    this.#heap = new ExpiryHeap(FIRST_CAPACITY, this.records, {
      expiresAt: (row) => rowExpiresAt(this.records, row),
      remove: (row) => this.#removeRow(row),
    });
    this.#eviction = new Eviction(this.records, this.#maxKeys);
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#index.grow(capacity);
    this.#heap.grow(capacity);
    this.records.grow(capacity);
  }
}

function larger(capacity: number): number {
  return capacity < LARGE_CAPACITY ? capacity * 2 : Math.ceil(capacity * 1.25);
}
