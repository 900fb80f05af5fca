import type { MaybePromise } from '../model/maybe-promise.js';
import type { TierDefinition } from './tier-definition.js';
import type { TierOwner } from './tier-owner.js';
import type { Tiers } from './limiter-options.js';
type Definitions<S> = readonly TierDefinition<S>[];
/** Which tiers apply to a subject: always the same, or those of its plan. Each array of tiers is checked once. */
export declare class Plans<S> {
    #private;
    /** @throws ConfigError */
    constructor(tiers: Tiers<S>, owner: TierOwner<S>);
    /** The names of all tiers, where they are always the same: a plan that nobody has had yet is not known. */
    get names(): readonly string[] | undefined;
    /** Throws or rejects with UsageError when the plan cannot be told or cannot work. */
    tiersFor(subject: S): MaybePromise<Definitions<S>>;
}
export {};
//# sourceMappingURL=plans.d.ts.map