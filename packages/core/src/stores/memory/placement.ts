import type { Candidate } from '../../algorithms/candidate.js';
import type { Claim } from '../../model/claim.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';
import { Overflow, type StateOwner } from './overflow.js';

/** Where the state of a claim is, or goes. */
export interface Place {
  /** In the overflow, the claim on the state that its tier shares. */
  readonly claim: Claim;
  /** A slot of the table. NONE in the overflow. */
  readonly slot: number;
  /** The slot has no key yet, or that of another key, which leaves a full table. */
  readonly isNew: boolean;
}

/** Finds the place of each claim: in the table, or in the overflow if the table is full of keys that must stay. */
export class Placement {
  readonly #table: KeyTable;
  readonly #overflow = new Overflow();

  constructor(table: KeyTable) {
    this.#table = table;
  }

  /** Places claims before they are decided. Only expired keys leave the table. */
  place(group: readonly Claim[], now: number): readonly Place[] {
    const table = this.#table;
    // Before slots are looked up, because it frees slots.
    if (table.free < group.length) table.makeRoom(now, group.length - table.free);
    const slots = group.map((claim) => table.find(claim.key));
    return group.map((claim, index) => {
      const slot = slots[index]!;
      if (slot !== NONE) return { claim, slot, isNew: false };
      const room = table.roomFor(now, slots, slots.length);
      slots[index] = room;
      return { claim: room === NONE ? this.#overflow.redirect(claim) : claim, slot: room, isNew: room !== NONE };
    });
  }

  stateIn({ claim, slot, isNew }: Place): unknown {
    if (slot === NONE) return this.#overflow.stateOf(claim);
    return isNew ? undefined : this.stateAt(slot, claim);
  }

  /** Stores the state of a placed claim. @returns its slot, or NONE in the overflow */
  commit({ slot, isNew }: Place, { claim, state }: Pick<Candidate, 'claim' | 'state'>, now: number): number {
    if (slot === NONE) {
      this.#overflow.write(claim, state, now);
      return NONE;
    }
    if (isNew) return this.#table.add(slot, claim.key, claim.policy, state);
    this.#table.dropExpiredTexts(slot, now);
    this.#table.write(slot, claim.policy, state);
    return slot;
  }

  stateOf(owner: StateOwner): unknown {
    const slot = this.#table.find(owner.key);
    return slot === NONE ? this.#overflow.stateOf(owner) : this.stateAt(slot, owner);
  }

  rewrite(owner: StateOwner, state: unknown, now: number): void {
    const slot = this.#table.find(owner.key);
    if (slot === NONE) this.#overflow.write(owner, state, now);
    else this.#table.write(slot, owner.policy, state);
  }

  /** Stores a state without a claim: in its slot, in a free one, or in the overflow. */
  put(owner: StateOwner, state: unknown, now: number): void {
    const { free } = this.#table;
    if (free === 0 || !this.insert(owner, state, now)) this.rewrite(owner, state, now);
  }

  /** Stores a state that no other key may share. @returns false where it has no room */
  insert({ key, policy }: StateOwner, state: unknown, now: number): boolean {
    const table = this.#table;
    const slot = table.find(key);
    if (slot !== NONE) {
      table.write(slot, policy, state);
      return true;
    }
    if (table.free === 0) table.makeRoom(now, 1);
    const room = table.roomFor(now, [], 0);
    if (room === NONE) return false;
    table.add(room, key, policy, state);
    return true;
  }

  /** The state in a slot. Undefined for NONE, and for a state that counts in another way. */
  stateAt(slot: number, { policy }: StateOwner): unknown {
    if (slot === NONE) return undefined;
    const stored = this.#table.records.policyOf(slot);
    const isAlike = stored === policy || stored.dimensions === policy.dimensions;
    return isAlike ? this.#table.records.stateOf(slot) : undefined;
  }
}
