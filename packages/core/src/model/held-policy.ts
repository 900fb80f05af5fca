import type { Policy } from './policy.js';

/** A policy whose units come back when their request ends. Times are milliseconds. */
export interface HeldPolicy extends Policy {
  readonly held: true;
  /** How long a unit counts after it was given or renewed. */
  readonly hold: number;
  /** The `retryAfter` of a denial. */
  readonly retry: number;
  /** How long a permit is renewed. `Infinity` without a bound. */
  readonly longest: number;
  /** How long a request waits for a permit. */
  readonly wait: number;
  /** Requests that wait for a key in this process. */
  readonly queue: number;
}
