import type { MaybePromise } from './maybe-promise.js';
/** Goes on with a value at once, or when it arrives, and with its failure where there is a way: no promise where none is needed. */
export declare function proceed<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>, recover?: (error: unknown) => MaybePromise<R>): MaybePromise<R>;
//# sourceMappingURL=proceed.d.ts.map