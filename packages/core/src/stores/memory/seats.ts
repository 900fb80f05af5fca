import type { Claim } from '../../model/claim.js';
import { fullest } from './fullest.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';
import { Overflow, type Owner } from './overflow.js';

/** A claim, where its state is kept, and what there is of it. */
export interface Seat {
  /** In the overflow, the claim on what its tier has there. */
  readonly claim: Claim;
  readonly place: 'table' | 'overflow';
  /** NONE for a key that the table does not have. */
  readonly slot: number;
  /** The slot that is given up if the key has to be added and there is no other room. */
  readonly victim: number;
  readonly stored: unknown;
}

/** Says where each claim is kept: in the table, or where there is no room, in the overflow of its tier. */
export class Seats {
  readonly #table: KeyTable;
  readonly #overflow = new Overflow();

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Before claims are decided: a key without room is decided on the overflow. No key that lives is given up yet. */
  take(group: readonly Claim[], now: number): Seat[] {
    const table = this.#table;
    // Done before slots are looked up, so that none of them is freed under way.
    if (table.free < group.length) table.sweep(now, group.length - table.free);
    const slots = group.map(({ key }) => table.find(key));
    let { free } = table;
    return group.map((claim, index): Seat => {
      const slot = slots[index]!;
      if (slot !== NONE) return { claim, place: 'table', slot, victim: NONE, stored: this.#stateAt(slot, claim) };
      if (free > 0) {
        free -= 1;
        return { claim, place: 'table', slot, victim: NONE, stored: undefined };
      }
      const victim = fullest(table, now, slots);
      if (victim === NONE) {
        const shared = this.#overflow.redirect(claim);
        return { claim: shared, place: 'overflow', slot, victim, stored: this.#overflow.stateFor(shared) };
      }
      slots.push(victim);
      return { claim, place: 'table', slot, victim, stored: undefined };
    });
  }

  /** After they are decided. Returns the slot that the state is kept in, NONE in the overflow. */
  keep({ claim, place, slot, victim }: Seat, state: unknown, now: number): number {
    const table = this.#table;
    if (place === 'overflow') {
      this.#overflow.write(claim, state, now);
      return NONE;
    }
    // A request may ask twice for one key: then the first has added it.
    const known = slot === NONE ? table.find(claim.key) : slot;
    if (known === NONE) {
      if (table.free === 0) table.remove(victim);
      return table.add(claim.key, claim.policy, state);
    }
    if (table.deadlineOf(known) <= now) table.dropNotes(known);
    table.write(known, claim.policy, state);
    return known;
  }

  /** The state that an owner has, wherever it is kept. */
  stateOf(owner: Owner): unknown {
    const slot = this.#table.find(owner.key);
    return slot === NONE ? this.#overflow.stateFor(owner) : this.#stateAt(slot, owner);
  }

  /** Replaces the state that an owner has. */
  rewrite(owner: Owner, state: unknown, now: number): void {
    const slot = this.#table.find(owner.key);
    if (slot === NONE) this.#overflow.write(owner, state, now);
    else this.#table.write(slot, owner.policy, state);
  }

  #stateAt(slot: number, { policy }: Owner): unknown {
    const kept = this.#table.policyOf(slot);
    // State of other dimensions counts something else: it is as good as none.
    return kept === policy || kept.dimensions === policy.dimensions ? this.#table.stateOf(slot) : undefined;
  }
}
