import type { AppointedDecision } from './appointment.js';
import type { Outcome } from './outcome.js';

/** What decided: a store (`store`: one of your own), something in front of it, or `none` when nothing was checked. */
export type Source = 'redis' | 'memory' | 'store' | 'deny-cache' | 'lease' | 'local' | 'none';

/** The outcomes of all tiers of a request, taken together. */
export interface Decision extends AppointedDecision {
  readonly allowed: boolean;
  /**
   * `never`: a tier can never hold the cost, or a gate denies the address. `unavailable`: the store failed, and
   * `onStoreFailure` is `'deny'`. `shed`: the process is overloaded, and nothing was checked.
   */
  readonly reason: 'ok' | 'denied' | 'never' | 'unavailable' | 'shed';
  /** Of the denying outcomes the one with the longest wait, hints last; else the one with the fewest units left. */
  readonly binding?: Outcome;
  /** The enforced tiers that deny, largest first. */
  readonly deniedBy: readonly string[];
  /** Tiers with `mode: 'demote'` that would deny. Absent where none would. The request goes first under overload. */
  readonly demotedBy?: readonly string[];
  /**
   * The name of the tier of the balance that has paid, in the place of tiers that deny. Undefined where none has. A copy of a
   * decision says it by `coveredBy` of its outcomes.
   */
  readonly paidBy?: string | undefined;
  /** One for each tier that applied, largest first. */
  readonly outcomes: readonly Outcome[];
  /**
   * Milliseconds until the same request fits all tiers. 0 when allowed, `Infinity` when no time helps. Where only tiers
   * deny that limit requests in flight, a hint: their `retry`.
   */
  readonly retryAfter: number;
  /** Milliseconds until an allowed request may go on. Above 0 only with a leaky-bucket queue. */
  readonly delay: number;
  readonly source: Source;
  /** True when `onStoreFailure` decided instead of the store. */
  readonly degraded: boolean;
}
