import type { Duration } from '../model/duration.js';

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
