import { TierDefinition } from './tier-definition.js';
import type { TierOwner } from './tier-owner.js';
import type { Tier } from './tier.js';
/**
 * Checks the tiers of a limiter and puts them largest first: by window, then by limit, then as they were declared. A
 * limit that is a function counts as the largest.
 *
 * @throws ConfigError
 */
export declare function defineTiers<S>(tiers: readonly Tier<S>[], owner: TierOwner<S>): readonly TierDefinition<S>[];
//# sourceMappingURL=tier-set.d.ts.map