/**
 * Times in ascending order, as an immutable view over an array that its newest view may grow: adding and dropping take
 * constant time, and older views stay what they were.
 */
export declare class Stamps {
    #private;
    readonly length: number;
    constructor(shared: number[], first: number, length: number);
    at(index: number): number;
    drop(count: number): Stamps;
    add(stamp: number, count: number): Stamps;
    /** Removes at most `count` of the entries of one stamp. */
    remove(stamp: number, count: number): {
        stamps: Stamps;
        removed: number;
    };
}
//# sourceMappingURL=stamps.d.ts.map