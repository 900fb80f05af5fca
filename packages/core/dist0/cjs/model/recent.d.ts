/** A map that forgets what is oldest when it has become too large, half of what it holds at a time. */
export declare class Recent<Value> {
    #private;
    /** @param size entries that it holds at most */
    constructor(size: number);
    get isEmpty(): boolean;
    get(key: string): Value | undefined;
    set(key: string, value: Value): void;
    delete(key: string): void;
}
//# sourceMappingURL=recent.d.ts.map