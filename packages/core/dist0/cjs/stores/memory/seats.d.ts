import type { Claim } from '../../model/claim.js';
import type { KeyTable } from './key-table.js';
import { type Owner } from './overflow.js';
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
/** Says where each claim is kept: in the table, or where there is no room, in the overflow of its tier. */
export declare class Seats {
    #private;
    constructor(table: KeyTable);
    /** Before claims are decided: a key without room is decided on the overflow. No key that lives is given up yet. */
    take(group: readonly Claim[], now: number): Seating;
    /** What is kept for a claim that has been seated. */
    stored({ claims, slots }: Seating, index: number): unknown;
    /** After they are decided. Returns the slot that the state is kept in, NONE in the overflow. */
    keep({ claims, slots, victims }: Seating, index: number, { state, now }: Kept): number;
    /** Keeps the state of a claim in its slot, or in a new one, and returns it. There has to be room. */
    keepAt(slot: number, { key, policy }: Owner, { state, now }: Kept): number;
    /** The state that an owner has, wherever it is kept. */
    stateOf(owner: Owner): unknown;
    /** Replaces the state that an owner has. */
    rewrite(owner: Owner, state: unknown, now: number): void;
    /** The state in the slot of an owner; NONE has none. */
    stateAt(slot: number, { policy }: Owner): unknown;
}
export {};
//# sourceMappingURL=seats.d.ts.map