import { algorithmName, definePolicy } from '../algorithms/policy-options.js';
import { algorithms } from '../algorithms/index.js';
import { BUCKET_MAX } from '../algorithms/token-bucket/token-bucket.js';
import { ConfigError, UsageError } from '../model/errors.js';
import { ON_STORE_FAILURE } from '../model/on-store-failure.js';
import { samePolicy } from '../model/policy.js';
import { IdentityCache } from './identity-cache.js';
import { shapeOf } from './key-maker.js';
import { readLease } from './lease-options.js';
import { readTierOptions } from './option-names.js';
import { shareOf } from './share.js';
import { TIER_OPTIONS } from './tier.js';
/** Policies that a limit function can bring about before the oldest are made anew. */
const POLICIES_MAX = 1_000;
/** Identities whose claims are remembered: making the key of one takes longer than what is decided about it. */
const CLAIMS = 32_768;
/** A tier that was checked. */
export class TierDefinition {
    name;
    /** What an error message begins with. */
    owner;
    key;
    limit;
    cost;
    shadow;
    countDenied;
    record;
    /** The policy, or where the limit is a function one of any limit: all else is the same. */
    policy;
    /** What the key of this tier ends with. */
    shape;
    lease;
    onStoreFailure;
    /** What was asked for one unit each. */
    claims = new IdentityCache(CLAIMS);
    #share;
    /** The policies, as `policy`. */
    policies;
    #policyOptions;
    #policies = new Map();
    /** @throws ConfigError */
    constructor(tier, name, defaults = {}) {
        const algorithm = algorithmName(tier, `tier "${name}"`);
        const options = readTierOptions(`tier "${name}" (${algorithm})`, tier, algorithm);
        const { key = defaults.key } = tier;
        if (typeof key !== 'function')
            throw options.fail('KEY_INVALID', 'key', 'must be a function of the subject');
        if (tier.record !== undefined && typeof tier.record !== 'function') {
            throw options.fail('OPTION_INVALID', 'record', 'must be a function of the subject');
        }
        if (typeof tier.cost !== 'function' && tier.cost !== undefined)
            options.integer('COST_INVALID', 'cost');
        this.name = name;
        this.owner = `tier "${name}"`;
        this.key = key;
        this.limit = 'limit' in tier ? tier.limit : undefined;
        this.cost = tier.cost;
        this.shadow = options.choice('mode', ['enforce', 'shadow'], 'enforce') === 'shadow';
        this.countDenied = options.flag('countDenied');
        this.record = tier.record;
        this.#policyOptions = policyOptions(tier);
        const limit = typeof this.limit === 'function' ? anyLimit(algorithms[algorithm].options) : this.limit;
        this.policy = this.#define(limit);
        this.shape = shapeOf(this.policy);
        this.lease = readLease(options, this.policy);
        this.onStoreFailure = options.choice('onStoreFailure', ON_STORE_FAILURE, defaults.onStoreFailure ?? 'local');
        this.#share = defaults.share ?? 1;
        this.policies = { policy: this.policy, local: this.#localPolicy(this.policy, limit) };
        if (typeof this.cost === 'number' && typeof this.limit !== 'function' && this.cost > this.policy.capacity) {
            throw options.fail('COST_INVALID', 'cost', `must be at most ${this.policy.capacity}, or no request ever fits`);
        }
        if (this.cost === undefined && typeof this.limit !== 'function')
            checkRequestCost(defaults.cost, this);
    }
    /**
     * The policies at a limit that a function returned.
     *
     * @throws UsageError when it returned nonsense
     */
    policiesAt(limit) {
        if (typeof this.limit !== 'function')
            return this.policies;
        const known = this.#policies.get(limit);
        if (known)
            return known;
        if (this.#policies.size >= POLICIES_MAX)
            this.#policies.delete(this.#policies.keys().next().value);
        try {
            const policy = this.#define(limit);
            const policies = { policy, local: this.#localPolicy(policy, limit) };
            this.#policies.set(limit, policies);
            return policies;
        }
        catch (cause) {
            const { message } = cause;
            throw new UsageError('FUNCTION_FAILED', `${message}, from the function limit`, { cause });
        }
    }
    /** What is kept for one of two tiers of a name can be read by the other, under whatever limit. */
    sameState(other) {
        return this.policy.dimensions === other.policy.dimensions;
    }
    /** Two tiers of one name can share their budgets when their numbers are the same. */
    sameNumbers(other) {
        const ours = typeof this.limit === 'function' ? this.limit : undefined;
        const theirs = typeof other.limit === 'function' ? other.limit : undefined;
        return ours === theirs && samePolicy(this.policy, other.policy);
    }
    /** What this process allows on its own. */
    #localPolicy(policy, limit) {
        if (this.#share === 1)
            return policy;
        return definePolicy(shareOf(this.#optionsAt(limit), this.#share), this.owner);
    }
    #define(limit) {
        return definePolicy(this.#optionsAt(limit), this.owner);
    }
    #optionsAt(limit) {
        return (limit === undefined ? this.#policyOptions : { ...this.#policyOptions, limit });
    }
}
/** A limit that all other options can stand beside: windows are short enough for 1, and bursts refill soon enough at the highest rate. */
function anyLimit(known) {
    return known.includes('burst') ? BUCKET_MAX : 1;
}
function checkRequestCost(cost, { owner, policy }) {
    if (cost === undefined || cost <= policy.capacity)
        return;
    throw new ConfigError('COST_INVALID', 'cost', cost, `limiter: cost must be at most ${policy.capacity}, which is all that ${owner} can hold, or no request ever fits, got ${cost}`);
}
function policyOptions(tier) {
    const ours = TIER_OPTIONS;
    return Object.fromEntries(Object.entries(tier).filter(([name]) => !ours.includes(name)));
}
//# sourceMappingURL=tier-definition.js.map