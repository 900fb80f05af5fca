import type { BucketTerms } from '../../model/inspection.js';
import type { BucketPolicy } from './bucket-policy.js';

/** @param spent units that are not yet refilled */
export function bucketTerms(spent: number, { capacity, limit, window }: BucketPolicy): BucketTerms {
  return { form: 'bucket', tokens: capacity - spent, capacity, interval: window / limit / 1e3, queued: false };
}
