import type { Outcome, TierView } from '@sluice/core';
import { outcomeKind, type OutcomeKind } from '@sluice/metrics/operations';
import { NO_OUTCOMES, sumOf } from './outcome-counts.js';
import { SlotRing } from './slot-ring.js';

const SECONDS = 60;
/** The part of a limit from which an allowed outcome is near it. */
const NEAR = 0.8;

/** What one tier has decided since the start. */
export class TierTraffic {
  readonly name: string;
  readonly shadow: boolean;
  readonly outcomes: Record<OutcomeKind, number> = { ...NO_OUTCOMES };
  readonly #recent = new SlotRing(1e3, SECONDS);
  /** Outcomes of seconds that have ended. */
  #ended = 0;

  constructor({ name, shadow }: Pick<TierView, 'name' | 'shadow'>) {
    this.name = name;
    this.shadow = shadow;
  }

  count(outcome: Outcome): void {
    this.outcomes[outcomeKind(outcome, NEAR)] += 1;
  }

  /** Puts what was counted since the last call into a second. @param at milliseconds since the start */
  endSecond(at: number): void {
    const counted = sumOf(this.outcomes);
    this.#recent.count(at, counted - this.#ended);
    this.#ended = counted;
  }

  /** Counts decisions of other processes. @param now milliseconds since the start */
  countOthers(now: number, count: number): void {
    this.#recent.count(now, count);
  }

  /** Decisions in each of the last 60 full seconds, oldest first. */
  recent(now: number): readonly number[] {
    return this.#recent.read(now);
  }
}
