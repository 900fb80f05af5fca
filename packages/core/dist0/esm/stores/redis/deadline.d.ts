/** Something that has to be settled in time. */
export interface Timed {
    /** When its time is over, in milliseconds of `performance.now()`. */
    readonly due: number;
    readonly settled: boolean;
    expire(): void;
}
/** The time of something that takes several calls. */
export interface TimeSpan {
    /** Resolves when it is over. */
    readonly over: Promise<void>;
    /** It is not needed any more. */
    stop(): void;
}
/**
 * Ends what takes too long. All of it has the same time, so one timer and one list in the order of beginning are enough,
 * and what is settled in time costs nearly nothing.
 */
export declare class Deadline {
    #private;
    /** The time that all have, in milliseconds. */
    readonly milliseconds: number;
    constructor(milliseconds: number);
    watch(timed: Timed): void;
    /** To be told once for each that is settled in time. */
    settle(): void;
    /** A time that begins now. */
    timeSpan(): TimeSpan;
}
//# sourceMappingURL=deadline.d.ts.map