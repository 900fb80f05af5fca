import type { Algorithm } from '../algorithm.js';
import type { Rate } from '../rate.js';
import type { BucketPolicy } from '../token-bucket/bucket-policy.js';
import { bucketTerms } from '../token-bucket/bucket-terms.js';
import { defineBucket, tokenBucket, type BucketState } from '../token-bucket/token-bucket.js';

export interface LeakyBucketOptions<Limit = number> extends Rate<Limit> {
  /** `'leaky-bucket'` with `queue` delays requests to an even pace; without it, it decides like a token bucket. */
  algorithm: 'leaky-bucket';
  /**
   * As a meter: units that the bucket holds.
   *
   * @default limit
   */
  burst?: number;
  /**
   * As a queue: requests that may wait for their turn, so that the output is evenly spaced. An admitted request gets a
   * `delay` and must wait for it. Excludes `burst`; 0 admits one at a time.
   */
  queue?: number;
}

export interface LeakyBucketPolicy extends BucketPolicy {
  /** Admitted requests wait for their turn. */
  readonly queued: boolean;
}

/**
 * As a meter: the token bucket seen from the other side, level + cost <= burst. As a queue: a bucket of queue + 1 places,
 * where each request waits until the request before it has left.
 */
export const leakyBucket: Algorithm<LeakyBucketPolicy, BucketState> = {
  ...tokenBucket,
  name: 'leaky-bucket',
  code: 'lb',
  options: ['limit', 'window', 'burst', 'queue'],
  packing: undefined,
  // The delay of a queue depends on more than its state.
  kernel: (policy) => (policy.queued ? undefined : tokenBucket.kernel!(policy)),

  define(options) {
    const queued = options.has('queue');
    if (!queued) return meterPolicy(defineBucket(options, 'leaky-bucket', { name: 'burst', code: 'BURST_INVALID' }));
    if (options.has('burst')) throw options.fail('BURST_INVALID', 'burst', 'excludes queue: choose one of them');
    const policy = defineBucket(options, 'leaky-bucket', { name: 'queue', code: 'QUEUE_INVALID', servedAtOnce: 1 });
    return Object.freeze({ ...policy, queued, numbers: [...policy.numbers, 1] });
  },

  describe(tat, now, policy, result) {
    const description = tokenBucket.describe(tat, now, policy, result);
    if (!policy.queued || result.retryAfter !== 0) return description;
    // A charged request waits for those before it; a peek would wait for all of them.
    const before = tokenBucket.refund(tat, now, policy, { units: result.charged, at: now, until: Infinity });
    return { ...description, delay: tokenBucket.describe(before.state, now, policy, result).resetAfter };
  },

  detailed(ruling, _claim, { number: delay }) {
    return { ...ruling, delay };
  },

  refund(stored, now, policy, charge) {
    // A place in front of others stays taken: its turn passes unused.
    if (policy.queued && tokenBucket.expiresAt(stored, policy) !== charge.until) return { state: stored, given: 0 };
    return tokenBucket.refund(stored, now, policy, charge);
  },

  terms: (tat, now, policy) => bucketTerms(tat, now, policy, policy.queued),
};

function meterPolicy(policy: BucketPolicy): LeakyBucketPolicy {
  return Object.freeze({ ...policy, queued: false, numbers: [...policy.numbers, 0] });
}
