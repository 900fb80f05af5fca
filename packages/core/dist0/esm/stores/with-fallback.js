import { channels } from '../events/channels.js';
import { warn } from '../events/warning.js';
import { isSluiceError } from '../model/errors.js';
import { proceed } from '../model/proceed.js';
/**
 * A store that always answers: where the one it wraps cannot, it does what the claims say. Denied is an answer, so it is
 * never taken for an outage.
 *
 * @param local decides for this process alone. It outlives an outage, so that the next one grants nothing anew, and what
 *   it has counted is not told to the store
 */
export function withFallback(store, local) {
    return new FallbackStore(store, local);
}
class FallbackStore {
    #store;
    #local;
    constructor(store, local) {
        this.#store = store;
        this.#local = local;
    }
    consume(group) {
        return this.#ask('consume', group);
    }
    peek(group) {
        return this.#ask('peek', group);
    }
    /** What was charged here is given back here. What the store cannot give back now stays counted: nothing is retried. */
    async refund(receipts) {
        const ours = receipts.filter(({ source }) => source === 'local');
        const theirs = receipts.filter(({ source }) => source !== 'local');
        const [here, there] = await Promise.all([
            ours.length > 0 ? this.#local.refund(ours) : 0,
            theirs.length > 0 ? this.#refundThere(theirs) : 0,
        ]);
        return here + there;
    }
    async reset(keys) {
        await this.#local.reset(keys);
        await this.#store.reset(keys);
    }
    inspect(key) {
        return this.#store.inspect(key);
    }
    async close() {
        await this.#local.close();
        await this.#store.close();
    }
    async #refundThere(receipts) {
        try {
            return await this.#store.refund(receipts);
        }
        catch (error) {
            report({ operation: 'refund', tiers: receipts.map(({ tier }) => tier), ...failureOf(error) });
            return 0;
        }
    }
    #ask(operation, group) {
        const recover = (error) => this.#without(operation, group, error);
        try {
            return proceed(this.#store[operation](group), itself, recover);
        }
        catch (error) {
            return recover(error);
        }
    }
    #without(operation, group, error) {
        const failure = failureOf(error);
        const enforced = group.filter(({ shadow }) => !shadow);
        const fallback = fallbackOf(enforced);
        report({ operation, fallback, tiers: group.map(({ tier }) => tier), ...failure });
        if (fallback !== 'local')
            return { outcomes: [], receipts: [], source: 'none', fallback };
        return this.#decideHere(operation, enforced);
    }
    #decideHere(operation, enforced) {
        return proceed(this.#local[operation](enforced.filter(isLocal).map(localClaim)), ({ outcomes, receipts }) => ({
            outcomes,
            receipts: receipts.map((receipt) => ({ ...receipt, source: 'local' })),
            source: 'local',
            fallback: 'local',
        }));
    }
}
/** What becomes of a request: what cannot be decided here is not said to be too much, or too little. */
function fallbackOf(enforced) {
    if (enforced.some((claim) => claim.onStoreFailure === 'deny' || (isLocal(claim) && isTooLarge(claim))))
        return 'deny';
    return enforced.some(isLocal) ? 'local' : 'allow';
}
function isLocal({ onStoreFailure = 'local' }) {
    return onStoreFailure === 'local';
}
/** It fits the limit, and not the share of it that this process has. */
function isTooLarge({ cost, policy, localPolicy = policy }) {
    return cost > localPolicy.capacity && cost <= policy.capacity;
}
function localClaim(claim) {
    return { ...claim, policy: claim.localPolicy ?? claim.policy, record: undefined };
}
function itself(value) {
    return value;
}
/** Throws what is no failure of a store: one that was closed is asked by a mistake, and that is to be seen. */
function failureOf(error) {
    // Whatever a foreign store says may tell who somebody is.
    if (!isSluiceError(error))
        return { code: 'STORE_UNAVAILABLE', message: 'the store failed with an error of its own' };
    if (error.name !== 'StoreError' || error.code === 'STORE_CLOSED')
        throw error;
    return { code: error.code, message: error.message };
}
function report(event) {
    warn('SLUICE_STORE_UNAVAILABLE', `rateLimit: a store could not answer, and requests are decided without it where onStoreFailure says so (told once; subscribe to sluice:degraded for more): ${event.message}`);
    if (channels.degraded.hasSubscribers)
        channels.degraded.publish(event);
}
//# sourceMappingURL=with-fallback.js.map