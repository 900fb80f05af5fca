/**
 * What is kept of each slot, in 32 bytes that lie together: a key that has not been asked for lately costs one wait for
 * memory, where columns cost one each.
 *
 * Of nearly all algorithms a state is two or three numbers, which take no object. What does not fit (long rings, logs)
 * is kept as it is.
 */
export declare class SlotRows {
    #private;
    constructor(capacity: number);
    /** States that take an object. */
    get objects(): number;
    stateOf(slot: number): unknown;
    /** The number of the policy that the state was kept under. */
    policyOf(slot: number): number;
    /** @param policy its number, below 2^30 */
    write(slot: number, policy: number, state: unknown): void;
    clear(slot: number): void;
    dueOf(slot: number): number;
    setDue(slot: number, due: number): void;
    placeOf(slot: number): number;
    setPlace(slot: number, place: number): void;
    grow(capacity: number): void;
}
//# sourceMappingURL=slot-rows.d.ts.map