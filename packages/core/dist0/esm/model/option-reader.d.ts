import { ConfigError, type ErrorCode } from './errors.js';
/** Reads options at the door: each is checked once, and a mistake is told with option, rule and value. */
export declare class OptionReader {
    #private;
    /**
     * @param path where the options stand in others of the same owner: `windows[1].`
     * @throws ConfigError OPTION_UNKNOWN for a name that is not known, with the nearest that is.
     */
    constructor(owner: string, given: object, known: readonly string[], path?: string);
    /** Reads the options in one of these that is an array. */
    inside(name: string, index: number, known: readonly string[]): OptionReader;
    has(name: string): boolean;
    value(name: string): unknown;
    /** An integer from `min` to `max`. Without `otherwise` it has to be given. */
    integer(code: ErrorCode, name: string, { min, max, otherwise }?: IntegerRule): number;
    /** A duration in whole microseconds, from 1 ms to 400 days. */
    duration(name: string): number;
    /** The function that an option holds, if it holds anything. */
    function<F>(name: string, value: F): F;
    flag(name: string): boolean;
    choice<T>(name: string, choices: readonly T[], otherwise: T): T;
    /** The error of an option: names whose it is, the option, the rule and the value. */
    fail(code: ErrorCode, name: string, rule: string, cause?: unknown): ConfigError;
}
interface IntegerRule {
    readonly min?: number;
    readonly max?: number;
    readonly otherwise?: number;
}
/** A value as a message shows it: short, and never a surprise. */
export declare function show(value: unknown): string;
export {};
//# sourceMappingURL=option-reader.d.ts.map