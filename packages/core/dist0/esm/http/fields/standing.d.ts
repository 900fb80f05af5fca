import type { Outcome } from '../../model/outcome.js';
import type { Counted } from '../passage.js';
import { type Quota } from './quota.js';
/** What is left of one tier, in the words of headers. */
export interface Share {
    readonly quota: Quota;
    /** Units that are left; 0 of a tier that denies. */
    readonly remaining: number;
    /** Seconds that they have to last, or until there is one more. Undefined where waiting does not help. */
    readonly time: number | undefined;
}
/** Where a request stands with all limiters that have counted it. */
export declare class Standing {
    #private;
    /** The outcome to wait for, or closest to denying, over all limiters. */
    readonly binding: Outcome;
    private constructor();
    /** Undefined where there is nothing to tell: no tier applied, or none that is enforced. */
    static of(counted: readonly Counted[]): Standing | undefined;
    /** Units that are left of the binding tier; 0 when it denies. */
    get remaining(): number;
    /**
     * Milliseconds until it is worth coming back: until the request is admitted, else until there is a unit, else until
     * all is there.
     */
    get resetAfter(): number;
    /** The quota of the binding tier. */
    get quota(): Quota;
    /** The quotas of all tiers that are enforced. */
    quotas(): readonly Quota[];
    /** What is left of all tiers that are enforced. */
    shares(): readonly Share[];
}
/** Quota names of the tiers that deny. */
export declare function violatedQuotas(counted: readonly Counted[]): readonly string[];
//# sourceMappingURL=standing.d.ts.map