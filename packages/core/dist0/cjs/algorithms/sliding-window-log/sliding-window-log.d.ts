import type { Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { Stamps } from './stamps.js';
export interface SlidingWindowLogOptions<Limit = number> {
    algorithm: 'sliding-window-log';
    /** Units allowed per `window`, at most 10 000: each is kept with its time. */
    limit: Limit;
    window: Duration;
}
/** Remembers when each unit was charged: exactly the limit in any window, for 8 to 12 bytes a unit. */
export declare const slidingWindowLog: Algorithm<Policy, Stamps>;
//# sourceMappingURL=sliding-window-log.d.ts.map