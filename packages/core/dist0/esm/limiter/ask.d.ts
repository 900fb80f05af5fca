import type { Claim } from '../model/claim.js';
import type { Outcome } from '../model/outcome.js';
import type { Answer } from '../stores/store.js';
import type { TierDefinition } from './tier-definition.js';
/** What a tier asks for one request. Without a claim its limit is 0: it never fits, and there is nothing to keep. */
export interface Ask<S> {
    readonly tier: TierDefinition<S>;
    readonly cost: number;
    readonly claim: Claim | undefined;
}
export declare function claimsOf<S>(asks: readonly Ask<S>[]): readonly Claim[];
/** The outcomes of the store in the order of the tiers, with those that no store was asked for. */
export declare function outcomesOf<S>(asks: readonly Ask<S>[], { outcomes }: Pick<Answer, 'outcomes'>): readonly Outcome[];
//# sourceMappingURL=ask.d.ts.map