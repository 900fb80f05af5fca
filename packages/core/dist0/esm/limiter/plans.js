import { UsageError } from '../model/errors.js';
import { isPromise } from '../model/is-promise.js';
import { defineTiers } from './tier-set.js';
import { warn } from '../events/warning.js';
/** So many plans are made anew for each request rather than chosen. */
const PLANS_MAX = 100;
/** Which tiers apply to a subject: always the same, or those of its plan. Each array of tiers is checked once. */
export class Plans {
    #owner;
    #choose;
    #fixed;
    #count = 0;
    #defined = new WeakMap();
    /** @throws ConfigError */
    constructor(tiers, owner) {
        this.#owner = owner;
        if (typeof tiers === 'function')
            this.#choose = tiers;
        else
            this.#fixed = defineTiers(tiers, owner);
    }
    /** The names of all tiers, where they are always the same: a plan that nobody has had yet is not known. */
    get names() {
        return this.#fixed?.map(({ name }) => name);
    }
    /** Throws or rejects with UsageError when the plan cannot be told or cannot work. */
    tiersFor(subject) {
        if (this.#fixed)
            return this.#fixed;
        try {
            const plan = this.#choose(subject);
            if (!isPromise(plan))
                return this.#define(plan);
            const told = Promise.resolve(plan).catch((cause) => Promise.reject(failure(cause)));
            return told.then((tiers) => this.#define(tiers));
        }
        catch (cause) {
            throw failure(cause);
        }
    }
    #define(tiers) {
        const known = this.#defined.get(tiers);
        if (known)
            return known;
        // To a plan without tiers no limit applies, as a limit of null applies to nobody.
        if (Array.isArray(tiers) && tiers.length === 0)
            return [];
        try {
            const defined = defineTiers(tiers, this.#owner);
            this.#defined.set(tiers, defined);
            this.#count += 1;
            if (this.#count === PLANS_MAX)
                warnOfNewArrays();
            return defined;
        }
        catch (cause) {
            const { message } = cause;
            throw new UsageError('FUNCTION_FAILED', `limiter: the function tiers returned what cannot work: ${message}`, {
                cause,
            });
        }
    }
}
function warnOfNewArrays() {
    warn('SLUICE_PLANS_MADE_ANEW', `limiter: the function tiers has returned ${PLANS_MAX} different arrays, and each is checked anew: return arrays that exist once`);
}
function failure(cause) {
    return cause instanceof UsageError
        ? cause
        : new UsageError('FUNCTION_FAILED', 'limiter: the function tiers failed', { cause });
}
//# sourceMappingURL=plans.js.map