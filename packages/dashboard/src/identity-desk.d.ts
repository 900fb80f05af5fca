import { type Store } from '@sluice/core';
import type { Forgotten, Look } from './messages.js';
/** Finds identities in the limiters of a store, and forgets them. */
export declare class IdentityDesk {
    #private;
    /** @param digestOf the whole digest of an entry that a list shows */
    constructor(store: Store, digestOf: (tier: string, shown: string) => string | undefined);
    /** @throws HttpFailure 400, 404; StoreError */
    look(body: object): Promise<Look>;
    /**
     * Deletes what tiers have of an identity.
     *
     * @param by the name of the person, for `sluice:audit`
     * @throws HttpFailure 400, 404; StoreError
     */
    forget(body: object, by: string | undefined): Promise<Forgotten>;
}
