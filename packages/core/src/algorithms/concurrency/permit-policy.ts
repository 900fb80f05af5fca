import type { Policy } from '../../model/policy.js';
import type { TurnsMaker } from '../../waiting/order.js';
import type { FeatureValue } from '../../model/feature.js';
import type { OptionReader } from '../../options/option-reader.js';

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

/** What `fairBy()` of `@sluice/overload/fair` returns, and a caller of it: callers share the limit. */
export interface SharedLimit extends FeatureValue<'fair'> {
  /** The policy of the caller. @throws ConfigError for a limit that callers cannot share */
  shared(policy: PermitPolicy, options: OptionReader): PermitPolicy;
}
