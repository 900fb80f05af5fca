import { type Policy } from '../../model/policy.js';
/**
 * The policies that are in use, each once, so that a slot names its policy by a number. Where limits are functions,
 * policies come and go with every request: one that nobody uses any more leaves its number to the next.
 */
export declare class PolicyList {
    #private;
    /** Policies in use. */
    get size(): number;
    at(index: number): Policy;
    /** The number of a policy, for one more user. */
    acquire(policy: Policy): number;
    /** One user less. */
    release(index: number): void;
}
//# sourceMappingURL=policy-list.d.ts.map