/** Counts in slots of equal length. It needs no timer: it moves on when it is counted or read. */
export declare class SlotRing {
    #private;
    /** @param step the length of a slot, in milliseconds */
    constructor(step: number, slots: number);
    /** @param now milliseconds since the start; the slot before the newest one can still be counted in */
    count(now: number, count?: number): void;
    /**
     * The newest full slots, oldest first.
     *
     * @param slots fewer than all
     */
    read(now: number, slots?: number): readonly number[];
}
