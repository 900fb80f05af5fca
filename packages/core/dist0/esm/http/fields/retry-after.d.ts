/**
 * Seconds to wait before the same request fits, at least 1: clients take 0 for "at once". Undefined where waiting does
 * not help.
 */
export declare function retryAfterOf({ retryAfter }: {
    readonly retryAfter: number;
}): number | undefined;
//# sourceMappingURL=retry-after.d.ts.map