import type { Track } from '@sluice/core';
import type { TopEntry } from './messages.js';
import type { FrequentIdentity } from './process-summary.js';
/** What other processes have counted. */
export interface OtherIdentities {
    readonly identities: readonly (FrequentIdentity & {
        readonly label?: string;
    })[];
    readonly totalOf: (tier: string) => number;
}
type Known = FrequentIdentity & {
    readonly label?: string | undefined;
};
/** The identities that tiers see most, in the last 30 to 60 seconds. */
export declare class TopIdentities {
    #private;
    /** @param clock milliseconds since the start */
    constructor(clock: () => number);
    count({ tier, digest, label }: Track): void;
    /**
     * The most frequent of all tiers, the most frequent first.
     *
     * @param others what other processes have counted
     */
    entries({ identities, totalOf }?: OtherIdentities): readonly TopEntry[];
    /** The most frequent of all tiers, with their digests. */
    frequent(length: number): readonly Known[];
    /** All that was counted in a tier. */
    total(tier: string): number;
    /** The whole digest of an entry. Undefined if it is not among the most frequent any more. */
    digestOf(tier: string, shown: string): string | undefined;
}
export {};
