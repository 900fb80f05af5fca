import type { Policy } from '../../model/policy.js';
import type { ArrivalTime, Interval } from './arrival-time.js';

export interface BucketPolicy extends Policy, Interval {
  /** The time that a full bucket takes to refill: capacity x T. */
  readonly tolerance: ArrivalTime;
  /** The most that may be spent and not yet refilled: the tolerance, and the time of an overdraft. */
  readonly mostDebt: ArrivalTime;
  /** Requests have different limits, and buckets of one size: see `movingBucket`. */
  readonly moves: boolean;
}
