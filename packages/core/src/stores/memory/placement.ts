import type { Claim } from '../../model/claim.js';
import type { Eviction } from './eviction.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';
import { Overflow, type StateOwner } from './overflow.js';

/** Where the state of a claim is, or goes. */
export interface Place {
  /** In the overflow, the claim on the state that its tier shares. */
  readonly claim: Claim;
  /** A slot of the table. NONE for a key that is not in it, OVERFLOW for a key without room. */
  readonly slot: number;
  /** The slot to evict if the key is added when the table is full. */
  readonly victim: number;
}

/** A claim that has been decided, and its next state. */
interface Decided {
  readonly claim: Claim;
  readonly state: unknown;
}

const OVERFLOW = -2;

/** Finds the place of each claim: in the table, or in the overflow if the table is full and every victim must stay. */
export class Placement {
  readonly #table: KeyTable;
  readonly #eviction: Eviction;
  readonly #overflow = new Overflow();

  constructor(table: KeyTable, eviction: Eviction) {
    this.#table = table;
    this.#eviction = eviction;
  }

  /** Places claims before they are decided. Only expired keys leave the table. */
  place(group: readonly Claim[], now: number): readonly Place[] {
    const table = this.#table;
    // Before slots are looked up, because it frees slots.
    if (table.free < group.length) table.makeRoom(now, group.length - table.free);
    const places = new Array<Place>(group.length);
    for (let index = 0; index < group.length; index += 1) {
      const claim = group[index]!;
      places[index] = { claim, slot: table.slotOf(claim), victim: NONE };
    }
    return table.free < group.length ? this.#withVictims(places, now) : places;
  }

  /** Finds room for claims without a slot when there may be too few free ones. */
  #withVictims(places: readonly Place[], now: number): readonly Place[] {
    let { free } = this.#table;
    const spared = places.map(({ slot }) => slot);
    return places.map((place) => {
      const { claim, slot } = place;
      if (slot !== NONE) return place;
      free -= 1;
      if (free >= 0) return place;
      const victim = this.#eviction.pick(now, spared);
      if (victim === NONE) return { claim: this.#overflow.redirect(claim), slot: OVERFLOW, victim };
      spared.push(victim);
      return { claim, slot, victim };
    });
  }

  stateIn({ claim, slot }: Place): unknown {
    return slot === OVERFLOW ? this.#overflow.stateOf(claim) : this.stateAt(slot, claim);
  }

  /** Stores the state of a placed claim. @returns its slot, or NONE in the overflow */
  commit({ slot, victim }: Place, decided: Decided, now: number): number {
    const table = this.#table;
    if (slot === OVERFLOW) {
      this.#overflow.write(decided.claim, decided.state, now);
      return NONE;
    }
    // When a request has two claims on one key, the first has added it.
    const known = slot === NONE ? table.slotOf(decided.claim) : slot;
    if (known === NONE && table.free === 0) table.remove(victim);
    return this.commitAt(known, decided, now);
  }

  /** Stores a state in a slot, or in a new one for NONE. There must be room. @returns the slot */
  commitAt(slot: number, { claim, state }: Decided, now: number): number {
    if (slot === NONE) return this.#add(claim, state);
    this.#table.dropExpiredTexts(slot, now);
    this.#write(slot, claim, state);
    return slot;
  }

  stateOf(owner: StateOwner): unknown {
    const slot = this.#table.find(owner.key);
    return slot === NONE ? this.#overflow.stateOf(owner) : this.stateAt(slot, owner);
  }

  rewrite(owner: StateOwner, state: unknown, now: number): void {
    const slot = this.#table.find(owner.key);
    if (slot === NONE) this.#overflow.write(owner, state, now);
    else this.#write(slot, owner, state);
  }

  /** Stores a state without a claim: in its slot, in a free one, or in the overflow. */
  put(owner: StateOwner, state: unknown, now: number): void {
    const slot = this.#table.find(owner.key);
    if (slot === NONE && this.#table.free > 0) this.#add(owner, state);
    else this.rewrite(owner, state, now);
  }

  /** Stores a state that no other key may share. @returns false where it has no room */
  insert(owner: StateOwner, state: unknown, now: number): boolean {
    const table = this.#table;
    const slot = table.find(owner.key);
    if (slot !== NONE) {
      this.#write(slot, owner, state);
      return true;
    }
    if (table.free === 0) table.makeRoom(now, 1);
    const victim = table.free === 0 ? this.#eviction.pick(now, []) : NONE;
    if (victim !== NONE) table.remove(victim);
    if (table.free === 0) return false;
    this.#add(owner, state);
    return true;
  }

  /** The state in a slot. Undefined for NONE, and for a state that counts in another way. */
  stateAt(slot: number, { policy }: StateOwner): unknown {
    if (slot === NONE) return undefined;
    const stored = this.#table.policyOf(slot);
    return stored === policy || stored.dimensions === policy.dimensions ? this.#table.stateOf(slot) : undefined;
  }

  #add({ key, policy }: StateOwner, state: unknown): number {
    const slot = this.#table.add(key, policy, state);
    this.#eviction.forget(slot);
    return slot;
  }

  #write(slot: number, { policy }: StateOwner, state: unknown): void {
    this.#table.write(slot, policy, state);
    this.#eviction.forget(slot);
  }
}
