export type BreakerState = 'closed' | 'open' | 'half-open';
/** Hears of every change of state. */
export type BreakerListener = (state: BreakerState, about: {
    problem?: string;
    openFor?: number;
}) => void;
/**
 * Keeps calls from a server that does not answer. It counts calls and not the checks in them, and knows no clock: times
 * are milliseconds that never go back. Why it is ours: docs/decisions/0014-breaker.md.
 */
export declare class Breaker {
    #private;
    constructor(onChange?: BreakerListener, random?: () => number);
    get state(): BreakerState;
    /** True when it has been open for long enough: the next call is a probe, of which there is one at a time. */
    isProbeDue(now: number): boolean;
    /** A probe is on its way. */
    probe(): void;
    /** A call was answered: of a probe, or while it was closed. What was called before it opened proves nothing. */
    succeed(now: number, isProbe?: boolean): void;
    /** A call has met a fault of the server or of the way to it. */
    fail(now: number, problem: string, isProbe?: boolean): void;
    /** The server is known to be there: all that was counted against it is forgotten. */
    reset(): void;
}
//# sourceMappingURL=breaker.d.ts.map