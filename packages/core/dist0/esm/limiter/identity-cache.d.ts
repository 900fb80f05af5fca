import { type Key } from '../model/identity.js';
/**
 * Remembers something of the identities that came last. Nearly all have one part, by which they are found as it is: to
 * join text for each request takes longer than all else that is done with it.
 */
export declare class IdentityCache<Value> {
    #private;
    /** @param size identities of a kind that it holds at most */
    constructor(size: number);
    get(key: Key): Value | undefined;
    set(key: Key, value: Value): void;
}
//# sourceMappingURL=identity-cache.d.ts.map