import { StoreError } from '../../model/errors.js';
/** Says in our words what a client reports. */
export declare function toStoreError(cause: unknown): StoreError;
/** The error of a key that holds what is not ours. The others of its call are not touched by it. */
export declare function unreadable(problem: string): StoreError;
/**
 * The error of a client without the command that it carries along: keys, recorded texts and the password of AUTH would be
 * printed with it.
 */
export declare function withoutCommand(cause: unknown): Error;
//# sourceMappingURL=redis-error.d.ts.map