import type { Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
export interface FixedWindowOptions<Limit = number> {
    algorithm: 'fixed-window';
    /** Units allowed per `window`, at most 2^32 - 1. */
    limit: Limit;
    window: Duration;
    /**
     * When a window begins: at a key's `'first'` request, so that not all clients come back at once; or by the
     * `'clock'`, in whole windows since 1970.
     *
     * @default 'first'
     */
    anchor?: 'first' | 'clock';
}
export interface FixedWindowPolicy extends Policy {
    readonly anchor: 'first' | 'clock';
}
/** Units charged, and when their window ends. */
type Window = readonly [count: number, ends: number];
/** Counts the units of a window and forgets them when it ends. At most the limit in its window, 2 x limit in any. */
export declare const fixedWindow: Algorithm<FixedWindowPolicy, Window>;
export {};
//# sourceMappingURL=fixed-window.d.ts.map