import type { AlgorithmName, Policy } from '../model/policy.js';
import type { FixedWindowOptions } from './fixed-window/fixed-window.js';
import type { LeakyBucketOptions } from './leaky-bucket/leaky-bucket.js';
import type { MultiWindowOptions } from './multi-window/multi-window.js';
import type { SlidingWindowLogOptions } from './sliding-window-log/sliding-window-log.js';
import type { SlidingWindowOptions } from './sliding-window/sliding-window.js';
import type { TokenBucketOptions } from './token-bucket/token-bucket.js';
/** An algorithm and its numbers, as a user writes them. `Limit` is what may stand for the limit of a window. */
export type PolicyOptions<Limit = number> = FixedWindowOptions<Limit> | SlidingWindowOptions<Limit> | SlidingWindowLogOptions<Limit> | TokenBucketOptions<Limit> | LeakyBucketOptions<Limit> | MultiWindowOptions;
/**
 * Checks options and makes their policy.
 *
 * @param owner what an error message begins with: `tier "login"`
 * @throws ConfigError that names the option, the rule and the value
 */
export declare function definePolicy(options: PolicyOptions, owner?: string): Policy;
/** The algorithm that options name; `sliding-window` when they name none. */
export declare function algorithmName(options: object, owner: string): AlgorithmName;
//# sourceMappingURL=policy-options.d.ts.map