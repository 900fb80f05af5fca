import type { Policy } from '../../model/policy.js';
import type { TurnsMaker } from '../../waiting/turns-maker.js';

/** A policy whose units are permits: they come back when their request ends. Times are milliseconds. */
export interface PermitPolicy extends Policy {
  /** How long a unit counts after it was given or renewed. */
  readonly hold: number;
  /** The `retryAfter` of a denial. */
  readonly retry: number;
  /** How long a permit is renewed, or `Infinity` if there is no bound. */
  readonly longest: number;
  /** How long a request waits for a permit. */
  readonly wait: number;
  /** Requests that wait for a key in this process. */
  readonly queue: number;
  /** What the names of the units of its caller end with. Undefined where callers do not share the limit. */
  readonly caller?: string;
  /** Its part of the limit. */
  readonly weight?: number;
  /** The order in which its requests wait. It is undefined if they wait in the order of their arrival. */
  readonly turns?: TurnsMaker;
}
