import { outcomeKind } from '@sluice/core/operations';
import { SlotRing } from './slot-ring.js';
const SECONDS = 60;
/** The part of a limit from which an allowed outcome is near it. */
const NEAR = 0.8;
/** What one tier has decided since the start. */
export class TierTraffic {
    name;
    shadow;
    outcomes = { within: 0, near: 0, over: 0, never: 0 };
    #recent = new SlotRing(1e3, SECONDS);
    constructor({ name, shadow }) {
        this.name = name;
        this.shadow = shadow;
    }
    /** @param now milliseconds since the start */
    count(now, outcome) {
        this.outcomes[outcomeKind(outcome, NEAR)] += 1;
        this.#recent.count(now);
    }
    /** Counts decisions of other processes. @param now milliseconds since the start */
    countOthers(now, count) {
        this.#recent.count(now, count);
    }
    /** Decisions in each of the last 60 full seconds, oldest first. */
    recent(now) {
        return this.#recent.read(now);
    }
}
