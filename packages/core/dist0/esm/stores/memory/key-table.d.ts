import type { Policy } from '../../model/policy.js';
/** What is kept of each key: by slots, of which there are twice as many whenever they are all taken. */
export declare class KeyTable {
    #private;
    /** @param bound keys at most, 16 or more */
    constructor(bound: number);
    get size(): number;
    /** Different policies that the keys have. */
    get policies(): number;
    /** Keys that can be added before one has to be removed. */
    get free(): number;
    /** The slot of a key, or NONE. */
    find(key: string): number;
    /** Any slot that is taken, by a number below `size`. */
    at(place: number): number;
    policyOf(slot: number): Policy;
    stateOf(slot: number): unknown;
    /** When the state becomes worthless, in microseconds. */
    deadlineOf(slot: number): number;
    /** Adds a key. There has to be room. */
    add(key: string, policy: Policy, state: unknown): number;
    write(slot: number, policy: Policy, state: unknown): void;
    remove(slot: number): void;
    /** Removes at most `count` keys that have expired: as long as any has, it finds one. */
    sweep(now: number, count: number): void;
    /** Looks at most at `count` keys, and removes those that have expired: soon all that have, if it is called often. */
    tidy(now: number, count: number): void;
    /** Keeps a text with a key as long as the key is kept, of twenty the newest. */
    note(slot: number, text: string): void;
    /** A key that has expired begins anew. */
    dropExpiredNotes(slot: number, now: number): void;
    /** The texts of a key, newest first. */
    notesOf(slot: number): readonly string[];
}
//# sourceMappingURL=key-table.d.ts.map