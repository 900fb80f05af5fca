import type { AlgorithmFacts } from '../../model/algorithm-facts.js';
import type { BucketTerms } from '../../model/inspection.js';
import type { Policy } from '../../model/policy.js';
import type { ArrivalTime, Interval } from './arrival-time.js';

export interface BucketPolicy extends Policy, Interval {
  /** The time in which an empty bucket refills (capacity x T). */
  readonly tolerance: ArrivalTime;
  /** The most that may be spent and not yet refilled: the tolerance, and the time of an overdraft. */
  readonly mostDebt: ArrivalTime;
  /** What decides in its place where requests have different limits, and buckets of one size. */
  readonly moving: AlgorithmFacts;
}

/** Units that only `settle` can charge. */
export function overdraft({ capacity, quota }: BucketPolicy): number {
  return capacity - quota;
}

/** @param spent units that are not yet refilled */
export function bucketTerms(spent: number, { capacity, limit, window }: BucketPolicy): BucketTerms {
  return { form: 'bucket', tokens: capacity - spent, capacity, interval: window / limit / 1e3, queued: false };
}
