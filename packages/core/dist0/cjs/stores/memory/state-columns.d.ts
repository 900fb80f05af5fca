/**
 * States by slot. Of nearly all algorithms a state is two or three numbers: those are kept in 16 bytes without an
 * object. What does not fit there (long rings, logs) is kept as it is.
 */
export declare class StateColumns {
    #private;
    constructor(capacity: number);
    /** States that take an object. */
    get objects(): number;
    read(slot: number): unknown;
    write(slot: number, state: unknown): void;
    clear(slot: number): void;
    grow(capacity: number): void;
}
//# sourceMappingURL=state-columns.d.ts.map