import { algorithmName, definePolicy, type PolicyOptions } from '../../algorithms/policy-options.js';
import { algorithms } from '../../algorithms/index.js';
import { BUCKET_MAX } from '../../algorithms/token-bucket/token-bucket.js';
import type { Lease } from '../../model/claim.js';
import { ConfigError, UsageError } from '../../model/errors.js';
import type { Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { ON_STORE_FAILURE, type OnStoreFailure } from '../../model/on-store-failure.js';
import { samePolicy, type Policy } from '../../model/policy.js';
import { IdentityCache } from '../claims/identity-cache.js';
import { keyShape } from '../claims/store-keys.js';
import { readLease } from './lease-options.js';
import { readTierOptions } from './tier-options.js';
import { RequestCache } from '../claims/request-cache.js';
import { localShareOf } from './local-share.js';
import type { TierDefaults } from './tier-context.js';
import { TIER_OPTIONS, type Limit, type Tier } from './tier.js';

/** Policies that a limit function can bring about before the oldest are made anew. */
const MAX_CACHED_POLICIES = 1_000;
/** Identities whose keys are remembered: making one takes longer than what is decided about it. */
const IDENTITIES = 32_768;

/** What a tier limits by. */
export interface Policies {
  readonly policy: Policy;
  /** What this process allows on its own while the store cannot answer. */
  readonly local: Policy;
}

/** A tier that was checked. */
export class TierDefinition<S> {
  readonly name: string;
  /** What an error message begins with. */
  readonly owner: string;
  readonly key: (subject: S) => MaybePromise<Key>;
  readonly limit: Limit<S> | undefined;
  readonly cost: number | ((subject: S) => MaybePromise<number>) | undefined;
  readonly shadow: boolean;
  readonly countDenied: boolean;
  readonly record: ((subject: S) => MaybePromise<string | undefined>) | undefined;
  /** The policy, or where the limit is a function one of any limit: all else is the same. */
  readonly policy: Policy;
  /** What the key of this tier ends with. */
  readonly shape: string;
  readonly lease: Lease | undefined;
  readonly onStoreFailure: OnStoreFailure;
  /** A request of one unit asks for a unit of it, whatever the request is. */
  readonly isStatic: boolean;
  /** Where the store keeps the state of an identity. */
  readonly keys = new IdentityCache<string>(IDENTITIES);
  /** Where it is the last of several tiers, the same of all of them. */
  readonly requests = new RequestCache(IDENTITIES);
  readonly #share: number;
  /** The policies, as `policy`. */
  readonly policies: Policies;
  readonly #policyOptions: PolicyOptions;
  readonly #policies = new Map<number, Policies>();

  /** @throws ConfigError */
  constructor(tier: Tier<S>, name: string, defaults: TierDefaults<S> = {}) {
    const algorithm = algorithmName(tier, `tier "${name}"`);
    const options = readTierOptions(`tier "${name}" (${algorithm})`, tier, algorithm);
    const { key = defaults.key } = tier as Partial<Tier<S>>;
    if (typeof key !== 'function') throw options.fail('KEY_INVALID', 'key', 'must be a function of the subject');
    if (tier.record !== undefined && typeof tier.record !== 'function') {
      throw options.fail('OPTION_INVALID', 'record', 'must be a function of the subject');
    }
    if (typeof tier.cost !== 'function' && tier.cost !== undefined) options.integer('COST_INVALID', 'cost');
    this.name = name;
    this.owner = `tier "${name}"`;
    this.key = key;
    this.limit = 'limit' in tier ? tier.limit : undefined;
    this.cost = tier.cost;
    this.shadow = options.choice('mode', ['enforce', 'shadow'], 'enforce') === 'shadow';
    this.countDenied = options.flag('countDenied');
    this.record = tier.record;
    this.isStatic = typeof this.limit !== 'function' && (this.cost ?? 1) === 1 && this.record === undefined;
    this.#policyOptions = policyOptions(tier);
    const limit = typeof this.limit === 'function' ? anyLimit(algorithms[algorithm].options) : this.limit;
    this.policy = this.#define(limit);
    this.shape = keyShape(this.policy);
    this.lease = readLease(options, this.policy);
    this.onStoreFailure = options.choice('onStoreFailure', ON_STORE_FAILURE, defaults.onStoreFailure ?? 'local');
    this.#share = defaults.share ?? 1;
    this.policies = { policy: this.policy, local: this.#localPolicy(this.policy, limit) };
    if (typeof this.cost === 'number' && typeof this.limit !== 'function' && this.cost > this.policy.capacity) {
      throw options.fail('COST_INVALID', 'cost', `must be at most ${this.policy.capacity}, or no request ever fits`);
    }
    if (this.cost === undefined && typeof this.limit !== 'function') checkRequestCost(defaults.cost, this);
  }

  /**
   * The policies at a limit that a function returned.
   *
   * @throws UsageError when it returned nonsense
   */
  policiesAt(limit: number): Policies {
    if (typeof this.limit !== 'function') return this.policies;
    const known = this.#policies.get(limit);
    if (known) return known;
    if (this.#policies.size >= MAX_CACHED_POLICIES) this.#policies.delete(this.#policies.keys().next().value!);
    try {
      const policy = this.#define(limit);
      const policies = { policy, local: this.#localPolicy(policy, limit) };
      this.#policies.set(limit, policies);
      return policies;
    } catch (cause) {
      const { message } = cause as ConfigError;
      throw new UsageError('FUNCTION_FAILED', `${message}, from the function limit`, { cause });
    }
  }

  /** What is kept for one of two tiers of a name can be read by the other, under whatever limit. */
  sameState(other: TierDefinition<never>): boolean {
    return this.policy.dimensions === other.policy.dimensions;
  }

  /** Two tiers of one name can share their budgets when their numbers are the same. */
  sameNumbers(other: TierDefinition<never>): boolean {
    const ours: unknown = typeof this.limit === 'function' ? this.limit : undefined;
    const theirs: unknown = typeof other.limit === 'function' ? other.limit : undefined;
    return ours === theirs && samePolicy(this.policy, other.policy);
  }

  /** What this process allows on its own. */
  #localPolicy(policy: Policy, limit: number | undefined): Policy {
    if (this.#share === 1) return policy;
    return definePolicy(localShareOf(this.#optionsAt(limit), this.#share), this.owner);
  }

  #define(limit: number | undefined): Policy {
    return definePolicy(this.#optionsAt(limit), this.owner);
  }

  #optionsAt(limit: number | undefined): PolicyOptions {
    return (limit === undefined ? this.#policyOptions : { ...this.#policyOptions, limit }) as PolicyOptions;
  }
}

/** A limit that all other options can stand beside: windows are short enough for 1, and bursts refill soon enough at the highest rate. */
function anyLimit(known: readonly string[]): number {
  return known.includes('burst') ? BUCKET_MAX : 1;
}

function checkRequestCost(cost: number | undefined, { owner, policy }: TierDefinition<never>): void {
  if (cost === undefined || cost <= policy.capacity) return;
  throw new ConfigError(
    'COST_INVALID',
    'cost',
    cost,
    `limiter: cost must be at most ${policy.capacity}, which is all that ${owner} can hold, or no request ever fits, got ${cost}`,
  );
}

function policyOptions(tier: object): PolicyOptions {
  const ours: readonly string[] = TIER_OPTIONS;
  return Object.fromEntries(Object.entries(tier).filter(([name]) => !ours.includes(name))) as unknown as PolicyOptions;
}
