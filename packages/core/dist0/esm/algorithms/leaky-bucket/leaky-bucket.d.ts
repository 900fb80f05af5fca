import type { Duration } from '../../model/duration.js';
import type { Algorithm } from '../algorithm.js';
import type { ArrivalTime } from '../token-bucket/arrival-time.js';
import { type BucketPolicy } from '../token-bucket/token-bucket.js';
export interface LeakyBucketOptions<Limit = number> {
    algorithm: 'leaky-bucket';
    /** Units that leak in a `window`, at most 9 x 10^7. */
    limit: Limit;
    window: Duration;
    /**
     * As a meter: units that the bucket holds before it denies.
     *
     * @default limit
     */
    burst?: number;
    /**
     * As a queue: requests that may wait for their turn, so that the output is evenly spaced. An admitted request is
     * told its `delay` and has to wait it. Excludes `burst`; 0 admits one at a time.
     */
    queue?: number;
}
export interface LeakyBucketPolicy extends BucketPolicy {
    /** Admitted requests wait for their turn. */
    readonly queued: boolean;
}
/**
 * As a meter, the token bucket seen from the other side: level + cost <= burst. As a queue, a bucket of queue + 1
 * places whose requests wait until the one before them has left.
 */
export declare const leakyBucket: Algorithm<LeakyBucketPolicy, ArrivalTime>;
//# sourceMappingURL=leaky-bucket.d.ts.map