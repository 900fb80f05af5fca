import { tracksOf } from '@sluice/core';
/** Entries a second: of denied requests, and of the others. */
const SAMPLED = 10;
const SHOWN = 8;
/** A sample of the newest decisions, taken while a page is open. */
export class DecisionTail {
    #denied = [];
    #others = [];
    #dropped = 0;
    /** @param at milliseconds since the start */
    add(at, decision) {
        const samples = decision.allowed ? this.#others : this.#denied;
        if (samples.length >= SAMPLED)
            this.#dropped += 1;
        else
            samples.push({ at, entry: entryOf(decision) });
    }
    /** What has come since the last call, oldest first. */
    take(now) {
        const samples = [...this.#denied, ...this.#others].toSorted((one, other) => one.at - other.at);
        const dropped = this.#dropped;
        this.#denied = [];
        this.#others = [];
        this.#dropped = 0;
        return { entries: samples.map(({ at, entry }) => ({ age: Math.round(now - at), ...entry })), dropped };
    }
}
function entryOf(decision) {
    const { reason, source, deniedBy, binding } = decision;
    const tiers = deniedBy.length > 0 ? deniedBy : binding ? [binding.tier] : [];
    const track = tracksOf(decision).find(({ tier }) => tier === tiers[0]);
    if (track === undefined)
        return { reason, source, tiers };
    const label = track.label === undefined ? {} : { label: track.label };
    return { reason, source, tiers, digest: track.digest.slice(0, SHOWN), ...label };
}
