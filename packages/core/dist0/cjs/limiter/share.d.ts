import type { PolicyOptions } from '../algorithms/policy-options.js';
/**
 * The options of a policy with a part of its units, for one of several processes that limit each on their own.
 *
 * @param options of a policy that can be defined
 * @param share above 0 and at most 1
 */
export declare function shareOf(options: PolicyOptions, share: number): PolicyOptions;
//# sourceMappingURL=share.d.ts.map