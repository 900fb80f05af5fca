import { proceed } from '../model/proceed.js';
import { samePolicy } from '../model/policy.js';
import { Recent } from '../model/recent.js';
/** A unit that was given back by another process is seen after so many milliseconds at the latest. */
const LONGEST = 60_000;
/** Clocks of two machines go differently fast, by less than this. */
const DRIFT = 0.999;
/** Denials that are kept at most. */
const DENIALS = 65_536;
/**
 * Answers for a store that has denied already: nobody is let in by asking again. Only what the store itself has said is
 * kept, and only for as long as nothing but giving back can change it.
 *
 * @param clock milliseconds that never go back
 */
export function withDenyCache(store, clock = () => performance.now()) {
    return new CachingStore(store, clock);
}
class CachingStore {
    uncached;
    #store;
    #clock;
    #denials = new Recent(DENIALS);
    /** When the state of a key was changed by hand: what was asked before says nothing any more. */
    #changes = new Recent(DENIALS);
    constructor(store, clock) {
        this.#store = store;
        this.#clock = clock;
        this.uncached = {
            consume: (group) => store.consume(group),
            peek: (group) => store.peek(group),
            refund: (receipts) => this.refund(receipts),
            reset: (keys) => this.reset(keys),
            inspect: (key) => store.inspect(key),
            close: () => store.close(),
        };
    }
    consume(group) {
        // A denied request counts there.
        if (group.some(({ countDenied }) => countDenied))
            return this.#store.consume(group);
        const known = this.#denials.isEmpty ? undefined : this.#denied(group);
        if (known)
            return known;
        return proceed(this.#store.consume(group), (answer) => {
            if (answer.source === 'redis')
                this.#keep(group, answer);
            return answer;
        });
    }
    peek(group) {
        return this.#store.peek(group);
    }
    refund(receipts) {
        return this.#change(receipts.map(({ key }) => key), () => this.#store.refund(receipts));
    }
    reset(keys) {
        return this.#change(keys, () => this.#store.reset(keys));
    }
    inspect(key) {
        return this.#store.inspect(key);
    }
    close() {
        return this.#store.close();
    }
    forget(keys) {
        const now = this.#clock();
        for (const key of keys) {
            this.#denials.delete(key);
            this.#changes.set(key, now);
        }
    }
    /** Whoever asks from now on is not told what was; nor, when it is done, what was said on the way. */
    async #change(keys, change) {
        this.forget(keys);
        try {
            return await change();
        }
        finally {
            this.forget(keys);
        }
    }
    /** The tiers that are known to deny; of the others nothing is known without asking. */
    #denied(group) {
        let outcomes;
        let now = 0;
        for (const { key, policy, cost, shadow } of group) {
            if (shadow)
                continue;
            // No waiting helps, whatever another tier says.
            if (cost > policy.capacity)
                return undefined;
            const denial = this.#denials.get(key);
            if (denial === undefined || cost < denial.cost || !samePolicy(denial.policy, policy))
                continue;
            now ||= this.#clock();
            if (now < denial.until)
                (outcomes ??= []).push(later(denial.outcome, now - denial.told));
        }
        return outcomes && { outcomes, receipts: [], source: 'deny-cache' };
    }
    #keep(group, { outcomes, asked }) {
        if (asked === undefined)
            return;
        const isDenied = outcomes.some(({ allowed, shadow }) => !allowed && !shadow);
        if (!isDenied && this.#denials.isEmpty)
            return;
        const told = this.#clock();
        for (const [index, { key, policy, cost }] of group.entries()) {
            const { [index]: outcome } = outcomes;
            const known = this.#denials.get(key);
            // What is kept is put right by the numbers that it was asked with last.
            if (known && !samePolicy(known.policy, policy))
                this.#denials.delete(key);
            if (outcome === undefined || outcome.never || outcome.shadow)
                continue;
            if (outcome.allowed) {
                // On a Cluster it may have been taken, and given back: others can have been denied in between.
                if (isDenied && cost > 0)
                    this.forget([key]);
                continue;
            }
            if ((this.#changes.get(key) ?? -Infinity) >= asked)
                continue;
            // It was rounded up by less than a millisecond.
            const until = asked + Math.min((outcome.retryAfter - 1) * DRIFT, LONGEST);
            if (until > told)
                this.#denials.set(key, { policy, cost, outcome, told, until });
        }
    }
}
/** What an outcome has become some milliseconds later. */
function later(outcome, elapsed) {
    return {
        ...outcome,
        retryAfter: left(outcome.retryAfter, elapsed),
        replenishAfter: left(outcome.replenishAfter, elapsed),
        resetAfter: left(outcome.resetAfter, elapsed),
    };
}
/** What is left to wait: something, until it was asked for anew. */
function left(milliseconds, elapsed) {
    return milliseconds === 0 ? 0 : Math.max(1, Math.ceil(milliseconds - elapsed));
}
//# sourceMappingURL=with-deny-cache.js.map