import type { Duration } from '../model/duration.js';
import { type OptionRow, WINDOW_ROW } from '../options/option-row.js';

/** Units in a time, the options that most algorithms have. */
export interface Rate<Limit = number> {
  /**
   * Units that a `window` allows, at least 1: requests, or what they cost. The limit of a tier may be a function of the
   * subject.
   *
   * @example limit: 100
   * @example limit: ({ plan }) => (plan === 'paid' ? 1_000 : 100)
   */
  limit: Limit;
  /**
   * The time that `limit` is for, from 1 ms to 400 days: text with a unit (`ms`, `s`, `m`, `h`, `d`, `w`), or
   * milliseconds as a number.
   *
   * @example window: '15m'
   */
  window: Duration;
}

const UNLIMITED = 'must be a number of units: for no limit, write limit: () => null';

/** Limits that mean "never" or "unlimited" in other libraries. */
const INSTEAD_OF_LIMIT = {
  0: 'must be at least 1: to deny every request, write limit: () => 0',
  '-1': UNLIMITED,
  null: UNLIMITED,
  Infinity: UNLIMITED,
};

export const LIMIT_ROW = {
  code: 'LIMIT_INVALID',
  integer: [1, 2 ** 32 - 1],
  instead: INSTEAD_OF_LIMIT,
  required: true,
} as const satisfies OptionRow;

/** The rows of a rate. */
export const RATE_OPTIONS = { limit: LIMIT_ROW, window: WINDOW_ROW } as const;
