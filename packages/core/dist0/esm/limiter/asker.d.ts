import { type Key } from '../model/identity.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import type { Ask } from './ask.js';
import type { KeyMaker } from './key-maker.js';
import type { TierDefinition } from './tier-definition.js';
/** Asks the functions of tiers about a subject. */
export declare class Asker<S> {
    #private;
    constructor(keys: KeyMaker, partition: ((subject: S) => MaybePromise<Key>) | undefined);
    /**
     * The asks of the tiers that apply, in their order. All functions are called, in order, before one is awaited.
     * Throws or rejects with UsageError when one fails or returns nonsense.
     */
    asks(tiers: readonly TierDefinition<S>[], subject: S, cost: number): MaybePromise<readonly Ask<S>[]>;
    /** Asks for one unit of each tier, by key and limit alone: what an operator knows of a subject is enough. */
    asksForOne(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<readonly Ask<S>[]>;
    /** The keys of tiers, whatever their limits are. */
    keys(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<readonly string[]>;
}
//# sourceMappingURL=asker.d.ts.map