import type { Algorithm } from '../algorithm.js';
import type { Rate } from '../rate.js';
import type { BucketPolicy } from '../token-bucket/bucket-policy.js';
import { bucketTerms } from '../token-bucket/bucket-terms.js';
import { defineBucket, tokenBucket, type BucketState } from '../token-bucket/token-bucket.js';

export interface LeakyBucketOptions<Limit = number> extends Rate<Limit> {
  /** `'leaky-bucket'` delays requests to an even pace. As a meter, without a queue, it would decide as a token bucket does. */
  algorithm: 'leaky-bucket';
  /**
   * Requests that may wait for their turn, so that the output is evenly spaced. An admitted request gets a `delay` and
   * must wait for it. 0 admits one at a time.
   */
  queue: number;
}

export interface LeakyBucketPolicy extends BucketPolicy {
  /** Admitted requests wait for their turn. */
  readonly queued: true;
}

/** A token bucket of queue + 1 places, where each request waits until the request before it has left. */
export const leakyBucket: Algorithm<LeakyBucketPolicy, BucketState> = {
  ...tokenBucket,
  name: 'leaky-bucket',
  code: 'lb',
  twin: 'lb',
  options: ['limit', 'window', 'queue'],
  packing: undefined,
  // The delay of a queue depends on more than its state.
  kernel: () => undefined,

  define(options) {
    if (!options.has('queue')) {
      const rule = "is required for leaky-bucket: write how many requests may wait, or algorithm: 'token-bucket'";
      throw options.fail('QUEUE_INVALID', 'queue', rule);
    }
    const policy = defineBucket(options, leakyBucket, { name: 'queue', code: 'QUEUE_INVALID', servedAtOnce: 1 });
    return Object.freeze({ ...policy, queued: true });
  },

  describe(tat, now, policy, result) {
    const description = tokenBucket.describe(tat, now, policy, result);
    if (result.retryAfter !== 0) return description;
    // A charged request waits for those before it; a peek would wait for all of them.
    const before = tokenBucket.refund(tat, now, policy, { units: result.charged, at: now, until: Infinity });
    return { ...description, delay: tokenBucket.describe(before.state, now, policy, result).resetAfter };
  },

  detailed(ruling, _claim, { number: delay }) {
    return { ...ruling, delay };
  },

  refund(stored, now, policy, charge) {
    // A place in front of others stays taken: its turn passes unused.
    if (tokenBucket.expiresAt(stored, policy) !== charge.until) return { state: stored, given: 0 };
    return tokenBucket.refund(stored, now, policy, charge);
  },

  terms: (tat, now, policy) => bucketTerms(tat, now, policy, true),
};
