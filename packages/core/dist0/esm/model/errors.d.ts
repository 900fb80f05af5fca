/** What went wrong, in one word that a program can test. */
export type ErrorCode = 'LIMIT_INVALID' | 'COST_INVALID' | 'WINDOW_INVALID' | 'BURST_INVALID' | 'QUEUE_INVALID' | 'PRECISION_INVALID' | 'KEY_INVALID' | 'OPTION_INVALID' | 'OPTION_UNKNOWN' | 'TIER_NAME_INVALID' | 'TIER_NAME_REQUIRED' | 'TIER_NAME_TAKEN' | 'TIERS_INVALID' | 'USAGE_INVALID' | 'FUNCTION_FAILED' | 'STORE_CLOSED' | 'STORE_UNAVAILABLE' | 'STORE_KEY_UNREADABLE' | 'STORE_UNSUPPORTED';
/** The base of every error that Sluice throws. A denial is an answer and never an error. */
export declare class SluiceError extends Error {
    readonly code: ErrorCode;
    name: string;
    constructor(code: ErrorCode, message: string, options?: ErrorOptions);
}
/** An option that cannot work, found when a policy, a tier, a limiter or a store is made. */
export declare class ConfigError extends SluiceError {
    /** The option's name, with its path: `windows[1].limit`. */
    readonly option: string;
    readonly value: unknown;
    name: string;
    constructor(code: ErrorCode, 
    /** The option's name, with its path: `windows[1].limit`. */
    option: string, value: unknown, message: string, options?: ErrorOptions);
}
/** A call that cannot be answered: a function of a tier threw or returned nonsense, or a cost is no integer. */
export declare class UsageError extends SluiceError {
    name: string;
}
/** The store could not answer. `cause` is what it said. */
export declare class StoreError extends SluiceError {
    name: string;
}
/** True for every error of Sluice, whichever copy of the package made it, in whichever realm. */
export declare function isSluiceError(error: unknown): error is SluiceError;
//# sourceMappingURL=errors.d.ts.map