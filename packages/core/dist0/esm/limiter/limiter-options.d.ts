import type { Key } from '../model/identity.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import { type OnStoreFailure } from '../model/on-store-failure.js';
import type { Store } from '../stores/store.js';
import type { TierDefaults } from './tier-owner.js';
import type { NameOf, Tier } from './tier.js';
/** Tiers, or plans: a function that returns arrays of tiers, which exist once. Or one tier, in short. */
export type LimiterOptions<S> = SharedLimiterOptions<S> & (({
    tiers: Tiers<S>;
} & {
    [Name in OfTiers<S>]?: never;
}) | (Tier<S> & {
    tiers?: never;
}));
/** The names of options that stand inside `tiers`, where there are any. */
type OfTiers<S> = Exclude<NameOf<Tier<S>>, keyof SharedLimiterOptions<S>>;
export type Tiers<S> = readonly Tier<S>[] | ((subject: S) => MaybePromise<readonly Tier<S>[]>);
export interface SharedLimiterOptions<S> {
    /** Where state is kept. @default a memory store of its own */
    store?: Store;
    /**
     * Groups keys: those of one partition lie in one slot of a Cluster and are decided together there. Without it each
     * identity is a partition of its own.
     */
    partition?: (subject: S) => MaybePromise<Key>;
    /** What all keys begin with. @default 'rl' */
    prefix?: string;
    /**
     * What becomes of requests while the store cannot answer. `local`: this process limits alone. `allow`: they go on
     * unlimited. `deny`: they are answered 503. A tier may say otherwise for itself.
     *
     * @default 'local'
     */
    onStoreFailure?: OnStoreFailure;
    /**
     * The part of every limit that this process allows while it limits alone, above 0 and at most 1: `1 / 3` for one of
     * three processes. A part of a unit counts as a whole one.
     *
     * @default 1
     */
    share?: number;
    /**
     * Whether this process remembers for how long a key is denied, for a minute at most, and does not ask the store until
     * then. Units that another process gives back are seen that much later.
     *
     * @default true
     */
    denyCache?: boolean;
    /** Makes the digests of identities in keys impossible to guess (HMAC-SHA-256). Set it where Redis is shared. */
    secret?: string;
}
/** Where a limiter is made for something that has options of its own, such as a gate. */
export interface Surroundings<S> extends TierDefaults<S> {
    /** Names of options that are not the limiter's, and stand among its own. */
    readonly besides?: readonly string[] | undefined;
}
/** Checks what is not about tiers. @throws ConfigError */
export declare function checkLimiterOptions<S>(options: LimiterOptions<S>, besides?: readonly string[]): void;
export {};
//# sourceMappingURL=limiter-options.d.ts.map