import type { Claim } from './claim.js';
import { companion } from './companion.js';

/** A part of a limit, at which a tier gives notice. */
export interface Mark {
  /** Above 0 and at most 1. */
  readonly mark: number;
  /** The first count that has reached it. */
  readonly units: number;
}

/** A mark that a count has reached, in an answer of a store. */
export interface ReachedMark {
  /** The name of the tier. */
  readonly tier: string;
  /** Where the store holds the count. */
  readonly key: string;
  /** A part of the limit, above 0 and at most 1. */
  readonly mark: number;
  /** Units of the period, after the charge that has reached the mark. */
  readonly used: number;
  readonly limit: number;
  /** When the count begins at 0 again, in milliseconds since 1970 by the clock of the store. */
  readonly endsAt: number;
}

/** Hears of marks that charges have reached. */
export type OnReached = (reached: readonly ReachedMark[]) => void;

/**
 * Hears of the marks of a late reply about a claim: a store that a program wraps gets claims without a request. A copy of the
 * claim tells nobody.
 */
export const lateMarks = companion<Claim, OnReached>('late-marks');
