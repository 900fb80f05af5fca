// tiers/ reads the options of tiers, and chooses the tiers of a request by its plan. What a program writes for a tier
// enters, and leaves as a checked definition. It imports policies, options and the key functions' types.
import { algorithmOption, type PolicyOptions } from '../../algorithms/named/policy-options.js';
import { coveredBy } from '../../model/covering.js';
import { algorithmOf } from '../../algorithms/algorithm.js';
import { beside } from '../../algorithms/beside.js';
import { MOST_EVEN_UNITS } from '../../algorithms/most-units.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Charging, ClaimTerms, OnStoreFailure, Lease } from '../../model/claim.js';
import { ConfigError, UsageError } from '../../model/errors.js';
import { featuresIn, type Feature } from '../../model/feature.js';
import type { Policy } from '../../model/policy.js';
import type { Rate } from '../../stores/decided-rates.js';
import { digestOf, keyShape, StoreKeys } from '../keys/store-keys.js';
import type { KeyBounds, KeyFunction } from '../keys/key-function.js';
import { readLease } from './lease-options.js';
import { type Asking, policyValuesIn } from './policy-value.js';
import type { TierContext } from './tier-context.js';
import { readTierOptions } from './read-tier-options.js';
import { stageOf } from './stage.js';
import { readSubjectOption } from './read-subject-option.js';
import type { SubjectOption } from './subject-option.js';
import { TierPolicies } from './tier-policies.js';
import { TIER_ROWS, TIER_RULES } from './tier-rows.js';
import type { Limit, Tier } from './tier.js';

/** Options of a bucket that stay when its limit moves. */
const BUCKET_SIZES = ['burst', 'queue', 'overdraft'];

/** A tier with its options checked. */
export class TierDefinition<S> implements ClaimTerms {
  readonly name: string;
  /** The first words of error messages. */
  readonly owner: string;
  readonly key: KeyFunction<S>;
  readonly bounds: KeyBounds | undefined;
  readonly limit: Limit<S> | undefined;
  readonly cost: number | ((subject: S) => MaybePromise<number>) | undefined;
  /** A cost above the capacity requests all of it. */
  readonly takesAll: boolean;
  readonly shadow: boolean;
  /** What it would deny goes first under overload. */
  readonly demotes: boolean;
  /** It applies to no request. */
  readonly isOff: boolean;
  /** The part of the identities for which the tier is enforced (`isInStage`). It is undefined if the tier is enforced for all. */
  readonly stage: number | undefined;
  readonly charge: Charging;
  readonly record: ((subject: S) => MaybePromise<string | undefined>) | undefined;
  readonly label: ((subject: S) => MaybePromise<string | undefined>) | undefined;
  /** Undefined where no option of its algorithm depends on the subject. */
  readonly own: SubjectOption<S> | undefined;
  readonly lease: Lease | undefined;
  readonly onStoreFailure: OnStoreFailure;
  /** For a limit function this returns the policy at any limit, whose other numbers are the same. */
  readonly policy: Policy;
  readonly storeKeys: StoreKeys;
  /** What a limiter does for options whose values a program imports. */
  readonly features: readonly Feature[];
  /** What the value of an option asks of the subject of each request. Undefined for most. */
  readonly asking: Asking | undefined;
  /** The digest of an identity, as keys have it. */
  readonly digestOf: (text: string) => string;
  /** Only the key depends on the subject. */
  readonly isStatic: boolean;
  readonly #policies: TierPolicies;

  /** @throws ConfigError */
  constructor(tier: Tier<S>, name: string, context: Pick<TierContext<S>, 'owner' | 'prefix' | 'secret' | 'defaults'>) {
    const { prefix, secret, defaults } = context;
    const chosen = algorithmOption(tier, `tier "${name}"`);
    const algorithm = chosen.name;
    const options = readTierOptions(`tier "${name}" (${algorithm})`, tier, chosen);
    const rows: typeof TIER_ROWS = { ...TIER_ROWS, ...chosen.tierOptions };
    const read = options.read({
      ...rows,
      key: { ...rows.key, otherwise: defaults.key },
    });
    options.check([...TIER_RULES, ...(chosen.rules ?? [])]);
    this.name = name;
    this.owner = `tier "${name}"`;
    this.key = read.key as KeyFunction<S>;
    this.bounds = this.key.bounds;
    this.limit = 'limit' in tier ? tier.limit : undefined;
    this.cost = tier.cost;
    this.features = featuresIn(tier);
    this.takesAll = read.aboveFull === 'all';
    const { mode, enforce } = read;
    this.demotes = mode === 'demote';
    this.shadow = mode === 'shadow' || this.demotes;
    this.isOff = mode === 'off';
    this.stage = enforce === undefined ? undefined : stageOf(enforce);
    this.charge = read.charge;
    this.record = tier.record;
    this.label = tier.label;
    this.own = readSubjectOption(options, this.owner, secret);
    const values = policyValuesIn(tier);
    this.asking = values.find(({ asking }) => asking !== undefined)?.asking;
    this.digestOf = (text) => digestOf(text, secret);
    const stated = {
      ...policyOptions(tier),
      ...(this.own && { [this.own.name]: this.own.base }),
      // A ban forgives nothing.
      ...('forgive' in chosen.options && this.charge === 'denied' && { forgive: 'one' }),
    } as PolicyOptions;
    this.#policies = new TierPolicies({
      owner: this.owner,
      options: stated,
      limit: this.limit,
      // It goes with all other options: 1 with the shortest window, and the highest rate for every burst.
      anyLimit: chosen.moving === undefined ? 1 : MOST_EVEN_UNITS,
      own: this.own,
      unit: tier.unit,
      values,
      moving:
        typeof this.limit === 'function' && BUCKET_SIZES.some((size) => options.has(size)) ? chosen.moving : undefined,
      share: defaults.share ?? 1,
    });
    this.policy = this.#policies.base;
    const { limit: max, cost, record, label } = this;
    const hasNumbers = typeof max !== 'function' && typeof cost !== 'function' && this.policy.calendar === undefined;
    this.isStatic =
      hasNumbers && !record && !label && !this.isOff && this.stage === undefined && !this.own && !this.asking;
    this.storeKeys = new StoreKeys({ prefix, secret, tier: name, shape: keyShape(this.policy) });
    this.lease = readLease(options, this.policy);
    this.onStoreFailure = read.onStoreFailure ?? inheritedBy(this.policy, defaults.onStoreFailure);
    if (typeof this.limit === 'function' || this.takesAll) return;
    if (typeof this.cost === 'number' && this.cost > this.policy.capacity) {
      throw options.fail('COST_INVALID', 'cost', `must be at most ${this.policy.capacity}, or no request ever fits`);
    }
    if (this.cost === undefined) checkRequestCost(context.owner, defaults.cost, this);
  }

  /**
   * The policy at a limit that a function has returned, or that an override sets.
   *
   * @param results of the functions of the option that depends on the subject
   * @throws UsageError for results that the other options do not allow
   */
  policyAt(limit: number, results?: unknown): Policy {
    const policy = this.#policies.at(limit, results === undefined ? undefined : this.own!.read(results));
    // Most requests have it, and `instanceof` takes as long as all of this.
    if (policy === this.policy || !(policy instanceof ConfigError)) return policy;
    const { message, option } = policy;
    throw new UsageError('FUNCTION_FAILED', `${message}, from the function ${option}`, { cause: policy });
  }

  localPolicyOf(policy: Policy): Policy {
    return this.#policies.localOf(policy);
  }

  /** What is wrong with a limit for this tier. */
  mistakeIn(limit: number): ConfigError | undefined {
    const policy = this.#policies.at(limit);
    return policy instanceof ConfigError ? policy : undefined;
  }
}

/** What the tiers charge. Undefined where one of them needs more than a kernel. */
export function fixedRates(tiers: readonly TierDefinition<never>[]): readonly Rate[] | undefined {
  const rates = tiers.map(rateOf);
  return rates.length > 0 && rates.every((rate) => rate !== undefined) ? rates : undefined;
}

function rateOf(tier: TierDefinition<never>): Rate | undefined {
  const { name, policy, shadow, cost, charge, takesAll } = tier;
  const algorithm = algorithmOf(policy);
  const kernel = algorithm.kernel(policy);
  const isPlain = tier.isStatic && charge === 'admitted' && !takesAll;
  if (kernel === undefined || !isPlain) return undefined;
  return { tier: name, policy, kernel, shadow, cost: typeof cost === 'number' ? cost : undefined };
}

/** The keys of states, and those of the numbers that features have beside them. @param keys one for each tier */
export function withBeside(tiers: readonly { readonly policy: Policy }[], keys: readonly string[]): readonly string[] {
  return keys.flatMap((key, place) => [key, ...(beside.of(tiers[place]!.policy)?.keysOf(key) ?? [])]);
}

/** A process has no copy of a balance: without the store it cannot decide, or it covers no tier. */
function inheritedBy(policy: Policy, ofLimiter: OnStoreFailure = 'local'): OnStoreFailure {
  if (!policy.algorithm.neverRefills || ofLimiter !== 'local') return ofLimiter;
  return coveredBy(policy) === undefined ? 'deny' : 'allow';
}

function checkRequestCost(owner: string, cost: number | undefined, tier: TierDefinition<never>): void {
  const { capacity } = tier.policy;
  if (cost === undefined || cost <= capacity) return;
  throw new ConfigError(
    'COST_INVALID',
    'cost',
    cost,
    `${owner}: cost must be at most ${capacity}, the capacity of ${tier.owner}, or no request ever fits, got ${cost}`,
  );
}

function policyOptions(tier: object): PolicyOptions {
  return Object.fromEntries(Object.entries(tier).filter(([name]) => !(name in TIER_ROWS))) as unknown as PolicyOptions;
}
