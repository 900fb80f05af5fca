import type { DecisionCounts, History } from './messages.js';
export type Reason = keyof DecisionCounts;
/** Decisions by reason, in slots of equal length. */
export declare class DecisionHistory {
    #private;
    /** @param step the length of a slot, in milliseconds */
    constructor(step: number, slots: number);
    /** @param now milliseconds since the start */
    count(now: number, reason: Reason, count?: number): void;
    /** @param slots fewer than all: the newest */
    read(now: number, slots?: number): History;
}
