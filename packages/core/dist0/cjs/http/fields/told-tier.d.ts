import type { Outcome } from '../../model/outcome.js';
import { type Policy } from '../../model/policy.js';
import type { Counted } from '../passage.js';
import { type Label } from './quota.js';
/** An enforced tier that has answered, and what clients are told it by. */
export interface ToldTier {
    readonly label: Label;
    readonly outcome: Outcome;
    readonly policy: Policy;
}
/**
 * Lists are read by name, so a name stands once. Two limiters may share a tier: then the stricter answer stands. Or they
 * may have tiers of one name in stores of their own: then the later one is told with a number.
 */
export declare function toldTiers(counted: readonly Counted[]): readonly ToldTier[];
//# sourceMappingURL=told-tier.d.ts.map