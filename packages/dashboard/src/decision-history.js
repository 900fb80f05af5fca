import { SlotRing } from './slot-ring.js';
/** Decisions by reason, in slots of equal length. */
export class DecisionHistory {
    #step;
    #rings;
    /** @param step the length of a slot, in milliseconds */
    constructor(step, slots) {
        this.#step = step;
        const ring = () => new SlotRing(step, slots);
        this.#rings = { ok: ring(), denied: ring(), never: ring(), unavailable: ring() };
    }
    /** @param now milliseconds since the start */
    count(now, reason, count = 1) {
        this.#rings[reason].count(now, count);
    }
    /** @param slots fewer than all: the newest */
    read(now, slots) {
        const { ok, denied, never, unavailable } = this.#rings;
        return {
            step: this.#step,
            ok: ok.read(now, slots),
            denied: denied.read(now, slots),
            never: never.read(now, slots),
            unavailable: unavailable.read(now, slots),
        };
    }
}
