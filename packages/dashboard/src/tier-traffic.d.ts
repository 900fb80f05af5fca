import type { Outcome, TierView } from '@sluice/core';
import { type OutcomeKind } from '@sluice/core/operations';
/** What one tier has decided since the start. */
export declare class TierTraffic {
    #private;
    readonly name: string;
    readonly shadow: boolean;
    readonly outcomes: Record<OutcomeKind, number>;
    constructor({ name, shadow }: Pick<TierView, 'name' | 'shadow'>);
    /** @param now milliseconds since the start */
    count(now: number, outcome: Outcome): void;
    /** Counts decisions of other processes. @param now milliseconds since the start */
    countOthers(now: number, count: number): void;
    /** Decisions in each of the last 60 full seconds, oldest first. */
    recent(now: number): readonly number[];
}
