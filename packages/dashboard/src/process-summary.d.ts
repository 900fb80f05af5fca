import type { DecisionCounts, OutcomeCounts, VERSION } from './messages.js';
/** What a process tells the others of a fleet. It has digests, and no label: labels stay in the memory of a process. */
export interface ProcessSummary {
    readonly version: typeof VERSION;
    readonly id: string;
    /** Milliseconds. */
    readonly uptime: number;
    readonly isDegraded: boolean;
    readonly decisions: DecisionCounts;
    /** The busiest first. */
    readonly tiers: readonly TierSummary[];
    /** The most frequent first. */
    readonly denied: readonly FrequentIdentity[];
    readonly asking: readonly FrequentIdentity[];
}
export interface TierSummary {
    readonly name: string;
    readonly shadow: boolean;
    readonly outcomes: OutcomeCounts;
    /** All that the lists of identities have counted. */
    readonly denied: number;
    readonly asking: number;
}
export interface FrequentIdentity {
    readonly tier: string;
    /** The whole digest. */
    readonly digest: string;
    readonly count: number;
    readonly error: number;
}
/** A summary of at most 8 KiB: a process with many tiers leaves out those with the fewest decisions. */
export declare function encodeSummary({ tiers, denied, asking, ...rest }: ProcessSummary): string;
/** Undefined for a summary of another version. */
export declare function decodeSummary(text: string, version: typeof VERSION): ProcessSummary | undefined;
