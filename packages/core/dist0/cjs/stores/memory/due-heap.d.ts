import type { SlotRows } from './slot-rows.js';
/**
 * Slots by when they are due to be looked at, which is when they expire or before: a binary heap, the earliest first. A
 * slot whose deadline moves on stays where it is until it comes to the front; with the algorithms that put it off at
 * every charge, a heap in order at any time is walked through at every charge.
 *
 * It hands the slots out itself: those that are free stand behind the heap.
 */
export declare class DueHeap {
    #private;
    /** @param rows where each slot notes when it is due, and its place in the heap */
    constructor(capacity: number, rows: SlotRows);
    get size(): number;
    /** The slot at a place: none is due before the one at place 0. */
    at(place: number): number;
    /** Takes a free slot. There has to be one. */
    add(due: number): number;
    /** Has a slot be due at a deadline at the latest. */
    advance(slot: number, deadline: number): void;
    /** Has the first slot be due later. */
    postponeFirst(due: number): void;
    /** Has every slot be due when it is told: when many have to be put off, in less time than one by one. */
    renew(dueOf: (slot: number) => number): void;
    remove(slot: number): void;
    grow(capacity: number): void;
}
//# sourceMappingURL=due-heap.d.ts.map