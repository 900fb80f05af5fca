import { type Decision } from '@sluice/core';
import type { Tail } from './messages.js';
/** A sample of the newest decisions, taken while a page is open. */
export declare class DecisionTail {
    #private;
    /** @param at milliseconds since the start */
    add(at: number, decision: Decision): void;
    /** What has come since the last call, oldest first. */
    take(now: number): Tail;
}
