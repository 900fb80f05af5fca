import type { Claim } from '../../model/claim.js';
import { fullest } from './fullest.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';
import { Overflow, type Owner } from './overflow.js';

/** Where the states of a group of claims are kept, claim by claim. */
export interface Seating {
  /** In the overflow, the claim is one on what its tier has there. */
  readonly claims: readonly Claim[];
  /** Slots of the table; NONE for a key that it does not have, OVERFLOW for one that it has no room for. */
  readonly slots: readonly number[];
  /** Slots that are given up if a key has to be added and there is no other room; none where there is. */
  readonly victims: readonly number[];
}

/** What is to be kept, and when it was decided, in microseconds. */
interface Kept {
  readonly state: unknown;
  readonly now: number;
}

const OVERFLOW = -2;
const NOBODY: readonly number[] = [];

/** Says where each claim is kept: in the table, or where there is no room, in the overflow of its tier. */
export class Seats {
  readonly #table: KeyTable;
  readonly #overflow = new Overflow();

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Before claims are decided: a key without room is decided on the overflow. No key that lives is given up yet. */
  take(group: readonly Claim[], now: number): Seating {
    const table = this.#table;
    // Done before slots are looked up, so that none of them is freed under way.
    if (table.free < group.length) table.sweep(now, group.length - table.free);
    const slots = group.map(({ key }) => table.find(key));
    return table.free < group.length
      ? this.#seatAtTheBound(group, slots, now)
      : { claims: group, slots, victims: NOBODY };
  }

  /** What is kept for a claim that has been seated. */
  stored({ claims, slots }: Seating, index: number): unknown {
    const slot = slots[index]!;
    if (slot === OVERFLOW) return this.#overflow.stateFor(claims[index]!);
    return this.stateAt(slot, claims[index]!);
  }

  /** After they are decided. Returns the slot that the state is kept in, NONE in the overflow. */
  keep({ claims, slots, victims }: Seating, index: number, { state, now }: Kept): number {
    const table = this.#table;
    const claim = claims[index]!;
    const slot = slots[index]!;
    if (slot === OVERFLOW) {
      this.#overflow.write(claim, state, now);
      return NONE;
    }
    // A request may ask twice for one key: then the first has added it.
    const known = slot === NONE ? table.find(claim.key) : slot;
    if (known === NONE && table.free === 0) table.remove(victims[index]!);
    return this.keepAt(known, claim, { state, now });
  }

  /** Keeps the state of a claim in its slot, or in a new one, and returns it. There has to be room. */
  keepAt(slot: number, { key, policy }: Owner, { state, now }: Kept): number {
    const table = this.#table;
    if (slot === NONE) return table.add(key, policy, state);
    table.dropExpiredNotes(slot, now);
    table.write(slot, policy, state);
    return slot;
  }

  /** The state that an owner has, wherever it is kept. */
  stateOf(owner: Owner): unknown {
    const slot = this.#table.find(owner.key);
    return slot === NONE ? this.#overflow.stateFor(owner) : this.stateAt(slot, owner);
  }

  /** Replaces the state that an owner has. */
  rewrite(owner: Owner, state: unknown, now: number): void {
    const slot = this.#table.find(owner.key);
    if (slot === NONE) this.#overflow.write(owner, state, now);
    else this.#table.write(slot, owner.policy, state);
  }

  /** Where not every claim may find room: those that come first do. */
  #seatAtTheBound(group: readonly Claim[], found: readonly number[], now: number): Seating {
    let { free } = this.#table;
    const claims = [...group];
    const slots = [...found];
    const victims = group.map(() => NONE);
    for (const [index, claim] of group.entries()) {
      if (slots[index] !== NONE) continue;
      if (free > 0) {
        free -= 1;
        continue;
      }
      victims[index] = fullest(this.#table, now, [...found, ...victims]);
      if (victims[index] !== NONE) continue;
      claims[index] = this.#overflow.redirect(claim);
      slots[index] = OVERFLOW;
    }
    return { claims, slots, victims };
  }

  /** The state in the slot of an owner; NONE has none. */
  stateAt(slot: number, { policy }: Owner): unknown {
    if (slot === NONE) return undefined;
    const kept = this.#table.policyOf(slot);
    // State of other dimensions counts something else: it is as good as none.
    return kept === policy || kept.dimensions === policy.dimensions ? this.#table.stateOf(slot) : undefined;
  }
}
