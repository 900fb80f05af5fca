import { type Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { type Ring, type Slots, type SlotWindow } from './slots.js';
export interface SlidingWindowOptions<Limit = number> {
    algorithm?: 'sliding-window';
    /** Units allowed per `window`, at most 2^32 - 1. */
    limit: Limit;
    window: Duration;
    /**
     * Slots that the window is counted in, 1 to 250. More of them follow the exact log closer and take 4 bytes each.
     *
     * @default 1, with `strict` 50
     */
    precision?: number;
    /**
     * Never more than the limit in any window, at the price of a share of 1 / precision of the throughput.
     *
     * @default false
     */
    strict?: boolean;
}
export interface SlidingWindowPolicy extends Policy, Slots, SlotWindow {
}
/**
 * Counts in slots and weighs the oldest by what of it the window still covers. At most the limit in any window of
 * (1 - 1/m) times its length and less than twice the limit in any window; strict: at most the limit in any window.
 */
export declare const slidingWindow: Algorithm<SlidingWindowPolicy, Ring>;
//# sourceMappingURL=sliding-window.d.ts.map