/** No slot. */
export declare const NONE = -1;
/**
 * Finds the slot of a key: a hash table with open addressing over slots that somebody else hands out. A Map from keys
 * to slots, with the array of keys that leads back, takes 20 bytes a key more and twice the time for the keys that a
 * limiter joins anew for each request, whose hashes V8 has not seen.
 */
export declare class KeyIndex {
    #private;
    constructor(capacity: number);
    find(key: string): number;
    keyOf(slot: number): string;
    /** Adds a key that is not there. */
    add(key: string, slot: number): void;
    remove(slot: number): void;
    grow(capacity: number): void;
}
//# sourceMappingURL=key-index.d.ts.map