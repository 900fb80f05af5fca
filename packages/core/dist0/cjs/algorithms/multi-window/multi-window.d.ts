import { type Duration } from '../../model/duration.js';
import type { Policy } from '../../model/policy.js';
import type { Algorithm } from '../algorithm.js';
import { type Ring, type Slots, type SlotWindow } from '../sliding-window/slots.js';
export interface MultiWindowOptions {
    algorithm: 'multi-window';
    /** The windows that all have to fit: at least two, each with a limit of its own. */
    windows: readonly {
        limit: number;
        window: Duration;
    }[];
    /**
     * Slots that the greatest common divisor of the windows is counted in.
     *
     * @default 1
     */
    precision?: number;
}
export interface MultiWindowPolicy extends Policy, Slots {
    /** Longest first. */
    readonly windows: readonly (SlotWindow & {
        readonly window: number;
    })[];
}
/** Several windows over one ring of slots: a cost fits when it fits them all. Each is a sliding window. */
export declare const multiWindow: Algorithm<MultiWindowPolicy, Ring>;
//# sourceMappingURL=multi-window.d.ts.map