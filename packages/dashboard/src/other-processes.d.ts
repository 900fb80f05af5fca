import type { DecisionCounts, ProcessState } from './messages.js';
import type { FrequentIdentity, ProcessSummary, TierSummary } from './process-summary.js';
/** What a process has counted: decisions, and outcomes by tier. */
export interface Counted {
    readonly decisions: DecisionCounts;
    readonly tiers: readonly CountedTier[];
}
export type CountedTier = Pick<TierSummary, 'name' | 'shadow' | 'outcomes'>;
/** What the other processes of a fleet have said. Counts of a process that has ended stay, so that no total falls. */
export declare class OtherProcesses {
    #private;
    /**
     * @param now monotonic milliseconds
     * @returns what the process has counted since its last summary; undefined for the first one, and after a pause
     */
    add(summary: ProcessSummary, now: number): Counted | undefined;
    /** All that others have counted, also those that have ended. */
    counted(): Counted;
    /** Those that were heard of in the last ten seconds. */
    states(now: number): readonly ProcessState[];
    /** What their lists have, of processes that were heard of in the last ten seconds. */
    identities(list: 'denied' | 'asking', now: number): readonly FrequentIdentity[];
    /** All that their lists have counted in a tier. */
    total(list: 'denied' | 'asking', tier: string, now: number): number;
}
/** The sum of two. */
export declare function merged(one: Counted, other: Counted): Counted;
