import type { AlgorithmName, Policy } from '../model/policy.js';
import type { Algorithm } from './algorithm.js';
/** All algorithms by name. */
export declare const algorithms: Readonly<Record<AlgorithmName, Algorithm>>;
/** The algorithm that a policy was made by. */
export declare function algorithmOf(policy: Policy): Algorithm;
//# sourceMappingURL=index.d.ts.map