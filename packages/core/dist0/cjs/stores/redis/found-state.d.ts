import type { Policy } from '../../model/policy.js';
/**
 * The state that a script has found under a key, as the algorithm has it, of the one integer that tells it.
 *
 * @param now microseconds
 */
export declare function foundState(policy: Policy, now: number, told: number): unknown;
/** False where a window of so many units and milliseconds is more than an integer can tell. */
export declare function isTold({ limit, window }: Policy): boolean;
//# sourceMappingURL=found-state.d.ts.map