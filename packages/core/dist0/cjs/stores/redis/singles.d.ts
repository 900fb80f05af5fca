import type { Claim } from '../../model/claim.js';
import type { AlgorithmCode, Policy } from '../../model/policy.js';
import { type AskedGroup, type Question, type Ruled, type Told } from './question.js';
/**
 * A unit each of keys under one policy. The units of a key that is asked for often go as one number, for the script charges
 * as many as fit. Where it tells what it has found they are ruled on here, at the time that it was there, by the functions
 * whose twins have decided.
 */
export declare class Singles implements Question {
    #private;
    readonly scriptName: `singles-${AlgorithmCode}`;
    readonly keys: readonly string[];
    readonly arguments: readonly (string | number)[];
    /** @param claims one for each check */
    constructor(policy: Policy, claims: readonly Claim[]);
    static of(asked: readonly AskedGroup[]): Singles | undefined;
    read(reply: readonly Told[]): Ruled;
}
//# sourceMappingURL=singles.d.ts.map