import type { Policy } from '../../model/policy.js';
import type { Calendar } from './calendar.js';
import type { FeatureValue } from '../../model/feature.js';

export interface FixedWindowPolicy extends Policy {
  /** The grain in microseconds. A window ends after a whole number of grains since 1970, and Redis stores this number. */
  readonly grain: number;
  /** The least time from the first request of a window to its end, in microseconds. */
  readonly reach: number;
  /** Where windows are periods. */
  readonly periods?: Calendar;
}

/** Units charged, and when their window ends. */
export type Window = readonly [count: number, ends: number];

// A window is stored as one integer: (part mod 2^21) * 2^32 + count, where part = ends / grain.
export const COUNT_RANGE = 2 ** 32;
export const PART_RANGE = 2 ** 21;

/** The end of the period before, of this one, and of the next three: the clock of the server may be off by a period. */
export const PERIOD_ENDS = 5;
/** Where they begin in the numbers of a policy. */
export const FIRST_END = 5;

/** What `notices()` of `@sluice/quotas` returns. */
export interface Notices extends FeatureValue<'notices'> {
  /** Parts of the limit, in rising order. */
  readonly parts: readonly number[];
}

/** The same, as policies use it. */
export interface NoticesValue extends Notices {
  /** The policy of a window that gives the notices. */
  noticed(window: FixedWindowPolicy): FixedWindowPolicy;
}
