import type { TierDefinition } from './tier-definition.js';
import type { TierOwner } from './tier-owner.js';
/**
 * Keeps the names of tiers for them: within a store and prefix a name belongs to one set of numbers. Only the plans of
 * one limiter may give it other limits, as a limit that is a function does: whoever changes plans keeps what is used.
 * Keeps all or none.
 *
 * @throws ConfigError TIER_NAME_TAKEN
 */
export declare function registerTierNames(owner: TierOwner<never>, tiers: readonly TierDefinition<never>[]): void;
/** @throws ConfigError TIER_NAME_INVALID */
export declare function checkTierName(name: unknown): string;
//# sourceMappingURL=tier-names.d.ts.map