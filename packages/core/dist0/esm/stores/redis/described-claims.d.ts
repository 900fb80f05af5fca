import type { Claim } from '../../model/claim.js';
import type { Ruling } from '../../model/ruling.js';
import type { Told } from './question.js';
/** Claims that a script describes, one after the other. */
export declare class DescribedClaims {
    #private;
    constructor(told: readonly Told[], position: number);
    /** The rulings of the next group, or why it could not be decided. */
    next(group: readonly Claim[], peek: boolean): readonly Ruling[] | string;
    rulings(group: readonly Claim[], peek: boolean): readonly Ruling[];
}
//# sourceMappingURL=described-claims.d.ts.map