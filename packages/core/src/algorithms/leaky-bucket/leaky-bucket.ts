// leaky-bucket/ delays requests, so that they leave at an even rate. A queue's time, a cost and a time enter. It
// imports token-bucket, whose arithmetic it shares.
import type { BucketTerms } from '../../model/inspection.js';
import type { OptionRows } from '../../options/option-row.js';
import type { Algorithm, NamedAlgorithm } from '../algorithm.js';
import { MOST_EVEN_UNITS } from '../most-units.js';
import type { Rate } from '../rate.js';
import type { ArrivalTime } from '../token-bucket/arrival-time.js';
import type { BucketPolicy } from '../token-bucket/bucket-policy.js';
import { movingBucket, withMovingLimit } from '../token-bucket/moving-bucket.js';
import { BUCKET_RATE, defineBucket, tokenBucket } from '../token-bucket/token-bucket.js';

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

const MAX_WAITING = MOST_EVEN_UNITS - 1;

const OPTIONS = {
  ...BUCKET_RATE,
  queue: {
    code: 'QUEUE_INVALID',
    integer: [0, MAX_WAITING],
    words: `an integer from 0 to ${MAX_WAITING}: how many requests may wait. If none may, write algorithm: 'token-bucket'`,
    required: true,
  },
} as const satisfies OptionRows;

/** A token bucket of queue + 1 places, where each request waits until the request before it has left. */
export const leakyBucket: Algorithm<LeakyBucketPolicy, ArrivalTime> & NamedAlgorithm<'leaky-bucket'> = {
  ...queueOf(tokenBucket),
  name: 'leaky-bucket',
  aliases: [],
  moving: withMovingLimit,
  keyType: 'string',
  options: OPTIONS,

  define(options) {
    const places = { name: 'queue', row: OPTIONS.queue, servedAtOnce: 1 };
    const policy = defineBucket(options, { bucket: leakyBucket, moving: movingQueue }, places);
    return Object.freeze({ ...policy, queued: true });
  },
};

/** The same where requests have different limits, and queues of one size. */
const movingQueue = queueOf(movingBucket);

function queueOf<State>(bucket: Algorithm<BucketPolicy, State>): Algorithm<LeakyBucketPolicy, State> {
  return {
    ...bucket,
    name: 'leaky-bucket',
    mayLease: false,
    code: 'lb',
    twin: 'lb',
    packing: undefined,
    // The delay of a queue depends on more than its state.
    kernel: () => undefined,

    describe(state, now, policy, result) {
      const description = bucket.describe(state, now, policy, result);
      if (result.retryAfter !== 0) return description;
      // A charged request waits for those before it; a peek would wait for all of them.
      const before = bucket.refund(state, now, policy, { units: result.charged, at: now, until: Infinity });
      return { ...description, delay: bucket.describe(before.state, now, policy, result).resetAfter };
    },

    refund(stored, now, policy, charge) {
      // A place in front of other requests stays taken, and its turn passes unused.
      if (bucket.expiresAt(stored, policy) !== charge.until) return { state: stored, given: 0 };
      return bucket.refund(stored, now, policy, charge);
    },

    terms: (state, now, policy, cost) => ({ ...(bucket.terms(state, now, policy, cost) as BucketTerms), queued: true }),
  };
}
