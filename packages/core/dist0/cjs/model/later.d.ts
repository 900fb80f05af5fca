import type { MaybePromise } from './maybe-promise.js';
/**
 * A value that is on its way. Whoever goes on with it by `proceed` does so in the turn in which it arrives: an answer
 * passes through several hands, and a promise for each would cost more than all that they do. To everybody else it is a
 * promise.
 */
export declare class Later<T> implements Promise<T> {
    #private;
    get [Symbol.toStringTag](): string;
    /** Once: what comes after the value or the failure is nothing. */
    arrive(value: T): void;
    fail(reason: unknown): void;
    /** What a step makes of the value when it arrives, and another one of its failure. */
    proceed<R>(next: (value: T) => MaybePromise<R>, recover?: (error: unknown) => MaybePromise<R>): Later<R>;
    promise(): Promise<T>;
    then<R = T, F = never>(next?: ((value: T) => R | PromiseLike<R>) | null, recover?: ((error: unknown) => F | PromiseLike<F>) | null): Promise<R | F>;
    catch<F = never>(recover?: ((error: unknown) => F | PromiseLike<F>) | null): Promise<T | F>;
    finally(end?: (() => void) | null): Promise<T>;
}
//# sourceMappingURL=later.d.ts.map