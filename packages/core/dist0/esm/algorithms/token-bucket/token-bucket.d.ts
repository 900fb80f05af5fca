import { type Duration } from '../../model/duration.js';
import type { OptionReader } from '../../model/option-reader.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { type ArrivalTime, type Interval } from './arrival-time.js';
export interface TokenBucketOptions<Limit = number> {
    /** `gcra` names the same. */
    algorithm: 'token-bucket' | 'gcra';
    /** Units that flow back in a `window`, at most 9 x 10^7. */
    limit: Limit;
    window: Duration;
    /**
     * Units that may be spent at once: what the bucket holds, at most 9 x 10^7. Lower it to smooth a client that spends
     * its whole window in a second.
     *
     * @default limit
     */
    burst?: number;
}
export interface BucketPolicy extends Policy, Interval {
    /** A full bucket in time: capacity x T. */
    readonly tolerance: ArrivalTime;
}
export declare const BUCKET_MAX = 90000000;
export declare const REFILL_MAX: number;
/**
 * A bucket that holds `burst` units and refills at limit / window, as the generic cell rate algorithm (ITU-T I.371):
 * its state is the time at which it is full again. At most burst + limit x W / window in any W.
 */
export declare const tokenBucket: Algorithm<BucketPolicy, ArrivalTime>;
/** Policies of buckets, whatever they are called: `size` names the option that says what one holds. */
export declare function defineBucket(options: OptionReader, algorithm: BucketPolicy['algorithm'], size: {
    name: string;
    code: 'BURST_INVALID' | 'QUEUE_INVALID';
    besides?: number;
}): BucketPolicy;
//# sourceMappingURL=token-bucket.d.ts.map