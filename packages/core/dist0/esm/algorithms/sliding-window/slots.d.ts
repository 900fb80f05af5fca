import type { Charge, Refund } from '../algorithm.js';
/**
 * A ring of slots: a window of m slots is the m newest and a share of the one before. Slot j holds the ticks from
 * j x slot on; the oldest slot counts in proportion to what of it the window still covers, rounded up.
 */
export interface Slots {
    /** Ticks a slot. */
    readonly slot: number;
    /** Slots that are kept: those of the longest window, and one more. */
    readonly ring: number;
}
/** The number of the newest slot, then the units charged in each, newest first. */
export type Ring = readonly number[];
/** One window over a ring. */
export interface SlotWindow {
    readonly limit: number;
    /** Slots that the window is made of: m. */
    readonly slots: number;
    /** The oldest slot counts in full as long as any of it is in the window. */
    readonly strict: boolean;
}
/** True for a ring whose newest slot has not begun. */
export declare function isRingAhead(stored: Ring, now: number, { slot }: Slots): boolean;
export declare function readRing(stored: Ring | undefined, now: number, { slot, ring }: Slots): Ring;
/** Units that count against a window at `now`. */
export declare function used(state: Ring, now: number, { slot }: Slots, { limit, slots, strict }: SlotWindow): number;
/** Ticks until at most `need` units count against a window, when none is added. */
export declare function waitFor(state: Ring, now: number, { slot }: Slots, window: SlotWindow, need: number): number;
export declare function chargeRing(state: Ring, units: number): Ring;
/** Gives units back to the slot they were charged in, while it is still held. */
export declare function refundRing(stored: Ring, now: number, slots: Slots, { units, at }: Charge): Refund<Ring>;
/** When the last slot has left the longest window. */
export declare function ringExpiresAt(state: Ring, { slot, ring }: Slots): number;
/** Ticks until every slot that holds units has left the longest window. */
export declare function emptyAfter(state: Ring, now: number, { slot, ring }: Slots): number;
//# sourceMappingURL=slots.d.ts.map