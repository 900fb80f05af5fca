import type { Claim, Lease } from '../model/claim.js';
import type { Key } from '../model/identity.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import { type OnStoreFailure } from '../model/on-store-failure.js';
import { type Policy } from '../model/policy.js';
import { IdentityCache } from './identity-cache.js';
import type { TierDefaults } from './tier-owner.js';
import { type Limit, type Tier } from './tier.js';
/** What a tier limits by. */
export interface Policies {
    readonly policy: Policy;
    /** What this process allows on its own while the store cannot answer. */
    readonly local: Policy;
}
/** A tier that was checked. */
export declare class TierDefinition<S> {
    #private;
    readonly name: string;
    /** What an error message begins with. */
    readonly owner: string;
    readonly key: (subject: S) => MaybePromise<Key>;
    readonly limit: Limit<S> | undefined;
    readonly cost: number | ((subject: S) => MaybePromise<number>) | undefined;
    readonly shadow: boolean;
    readonly countDenied: boolean;
    readonly record: ((subject: S) => MaybePromise<string | undefined>) | undefined;
    /** The policy, or where the limit is a function one of any limit: all else is the same. */
    readonly policy: Policy;
    /** What the key of this tier ends with. */
    readonly shape: string;
    readonly lease: Lease | undefined;
    readonly onStoreFailure: OnStoreFailure;
    /** What was asked for one unit each. */
    readonly claims: IdentityCache<Claim>;
    /** The policies, as `policy`. */
    readonly policies: Policies;
    /** @throws ConfigError */
    constructor(tier: Tier<S>, name: string, defaults?: TierDefaults<S>);
    /**
     * The policies at a limit that a function returned.
     *
     * @throws UsageError when it returned nonsense
     */
    policiesAt(limit: number): Policies;
    /** What is kept for one of two tiers of a name can be read by the other, under whatever limit. */
    sameState(other: TierDefinition<never>): boolean;
    /** Two tiers of one name can share their budgets when their numbers are the same. */
    sameNumbers(other: TierDefinition<never>): boolean;
}
//# sourceMappingURL=tier-definition.d.ts.map