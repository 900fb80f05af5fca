/**
 * A theoretical arrival time (TAT): whole ticks, and a rest in parts of a tick, of which there are `limit` to one. So a
 * rate that does not divide its window stays exact: no unit is ever rounded.
 */
export type ArrivalTime = readonly [ticks: number, rest: number];
/** The emission interval T = window / limit, as quotient and remainder, and what a bucket holds in time. */
export interface Interval {
    /** Units a window. */
    readonly limit: number;
    /** window div limit. */
    readonly quotient: number;
    /** window mod limit. */
    readonly remainder: number;
    /** Units a full bucket holds. */
    readonly capacity: number;
}
export declare const ZERO: ArrivalTime;
/** The time that `units` take at this rate. */
export declare function timeOf(units: number, { limit, quotient, remainder }: Interval): ArrivalTime;
export declare function add(one: ArrivalTime, other: ArrivalTime, limit: number): ArrivalTime;
export declare function subtract(one: ArrivalTime, other: ArrivalTime, limit: number): ArrivalTime;
export declare function isLater(one: ArrivalTime, other: ArrivalTime): boolean;
/** Whole ticks that cover a time. */
export declare function ceiling([ticks, rest]: ArrivalTime): number;
/** The whole units that fit a time: an estimate in doubles, put right by exact comparison. */
export declare function unitsIn(time: ArrivalTime, interval: Interval): number;
/** The units that a time is part of: those that fit it, and the one that it has begun. */
export declare function unitsBegun(time: ArrivalTime, interval: Interval): number;
//# sourceMappingURL=arrival-time.d.ts.map