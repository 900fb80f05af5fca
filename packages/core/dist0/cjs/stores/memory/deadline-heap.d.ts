/**
 * Slots by deadline: a binary heap that knows where each slot stands, so that every deadline is in order at any time
 * and the first is the earliest. It hands the slots out itself: those that are free stand behind the heap.
 */
export declare class DeadlineHeap {
    #private;
    constructor(capacity: number);
    get size(): number;
    /** The slot at a place: place 0 has the earliest deadline. */
    at(place: number): number;
    deadlineOf(slot: number): number;
    /** Takes a free slot. There has to be one. */
    add(deadline: number): number;
    move(slot: number, deadline: number): void;
    remove(slot: number): void;
    grow(capacity: number): void;
}
//# sourceMappingURL=deadline-heap.d.ts.map