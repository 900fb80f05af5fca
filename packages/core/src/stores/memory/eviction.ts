import { algorithmOf } from '../../algorithms/algorithm.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';

const SAMPLED_KEYS = 8;
/** States that a search reads at most: some 0.5 ms. */
const READ_STATES = 1_024;
/** Slots that a search passes at most, without a state to read: some 0.1 ms. */
const PASSED_SLOTS = 65_536;

/**
 * Chooses the keys that leave a full table: never one that denies, because a client could flood the store to be admitted
 * again. So that a table of denying keys costs little, each of them is read once, and again when its denial has ended.
 */
export class Eviction {
  readonly #table: KeyTable;
  readonly #random: () => number;
  /** By slot, until when a key must stay, in microseconds. Made when it is needed: most tables are never full. */
  #staysUntil: Float64Array | undefined;
  /** Where the next search begins: at the latest victim, whose slot has a new key. */
  #hand = 0;
  /** Slots that searches have passed in vain since a key has changed. */
  #passed = 0;
  /** The earliest end of a stay among them. */
  #firstEnd = Infinity;

  constructor(table: KeyTable, random = Math.random) {
    this.#table = table;
    this.#random = random;
  }

  /**
   * The key to evict: of a few random keys the one with the largest share of its budget left, which loses least. If all of
   * them must stay, the next key that need not. A table of 1 024 keys is searched whole, a larger one over several calls.
   *
   * @param now microseconds
   * @param spared slots that must stay
   * @returns NONE if no key was found
   */
  pick(now: number, spared: readonly number[]): number {
    this.#staysUntil ??= new Float64Array(this.#table.maxKeys);
    const sampled = this.#sample(now, spared);
    return sampled === NONE ? this.#search(now, spared) : sampled;
  }

  /** Called when the state of a slot has changed. */
  forget(slot: number): void {
    if (this.#staysUntil === undefined) return;
    this.#staysUntil[slot] = 0;
    this.#passed = 0;
    this.#firstEnd = Infinity;
  }

  #sample(now: number, spared: readonly number[]): number {
    let victim = NONE;
    let largest = -1;
    for (let sample = 0; sample < SAMPLED_KEYS; sample += 1) {
      const slot = this.#table.at(Math.floor(this.#random() * this.#table.size));
      if (spared.includes(slot) || !this.#mayGo(slot, now)) continue;
      const share = shareLeft(this.#table, slot, now);
      if (share <= largest) continue;
      victim = slot;
      largest = share;
    }
    return victim;
  }

  #search(now: number, spared: readonly number[]): number {
    const { maxKeys } = this.#table;
    const ends = this.#staysUntil!;
    // All keys stay at least until then.
    if (this.#passed >= maxKeys && now < this.#firstEnd) return NONE;
    if (this.#passed >= maxKeys) this.#passed = 0;
    let reads = READ_STATES;
    for (let left = Math.min(maxKeys, PASSED_SLOTS); left > 0 && reads > 0; left -= 1) {
      const slot = this.#hand;
      if (ends[slot]! <= now && this.#table.holds(slot)) {
        reads -= 1;
        if (this.#mayGo(slot, now) && !spared.includes(slot)) return slot;
      }
      this.#firstEnd = Math.min(this.#firstEnd, ends[slot]!);
      this.#passed += 1;
      this.#hand = (slot + 1) % maxKeys;
    }
    return NONE;
  }

  #mayGo(slot: number, now: number): boolean {
    const ends = this.#staysUntil!;
    if (ends[slot]! <= now) ends[slot] = endOfStay(this.#table, slot, now);
    return ends[slot]! <= now;
  }
}

/** Until when a key must stay, in microseconds: usually while it denies one unit. */
function endOfStay(table: KeyTable, slot: number, now: number): number {
  const policy = table.policyOf(slot);
  const algorithm = algorithmOf(policy);
  const ticks = Math.floor(now / policy.tick);
  const state = algorithm.read(table.stateOf(slot), ticks, policy);
  if (algorithm.staysUntil) return algorithm.staysUntil(state, ticks) * policy.tick;
  const overdraft = algorithm.overdraft?.(policy) ?? 0;
  const wait = algorithm.wait(state, ticks, policy, overdraft + 1);
  return wait === 0 ? 0 : (ticks + wait) * policy.tick;
}

/** The part of the budget that requests can still spend, for a key that admits one unit. */
function shareLeft(table: KeyTable, slot: number, now: number): number {
  const policy = table.policyOf(slot);
  const algorithm = algorithmOf(policy);
  const ticks = Math.floor(now / policy.tick);
  const remaining = algorithm.remaining(algorithm.read(table.stateOf(slot), ticks, policy), ticks, policy);
  // A backoff may have no free strikes.
  return policy.quota === 0 ? 0 : (remaining - (algorithm.overdraft?.(policy) ?? 0)) / policy.quota;
}
