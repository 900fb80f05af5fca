// tiers/ reads the options of tiers, and chooses the tiers of a request by its plan. What a program writes for a tier
// enters, and leaves as a checked definition. It imports policies, options and the key functions' types.
import { algorithmOption, type PolicyOptions } from '../../algorithms/policy-options.js';
import { MAX_BUCKET_UNITS } from '../../algorithms/token-bucket/token-bucket.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { CHARGING, ON_STORE_FAILURE, type Charging, type OnStoreFailure, type Lease } from '../../model/claim.js';
import { ConfigError, UsageError } from '../../model/errors.js';
import { featuresIn, type Feature } from '../../model/feature.js';
import type { Policy } from '../../model/policy.js';
import { importedValue, USAGE } from '../../options/imported-value.js';
import type { OptionReader } from '../../options/option-reader.js';
import { keyShape, StoreKeys } from '../claims/store-keys.js';
import { isKeyFactory, type KeyBounds, type KeyFunction } from '../key-function.js';
import type { UsageValue } from './counted-usage.js';
import { readLease } from './lease-options.js';
import type { TierContext } from './tier-context.js';
import { readTierOptions } from './read-tier-options.js';
import { readStage } from './stage.js';
import { readSubjectOption } from './read-subject-option.js';
import type { SubjectOption } from './subject-option.js';
import { TierPolicies, type Policies } from './tier-policies.js';
import { TIER_OPTIONS, type Limit, type Tier } from './tier.js';

/** Options of a bucket that stay when its limit moves. */
const BUCKET_SIZES = ['burst', 'queue', 'overdraft'];

const MODES = ['enforce', 'shadow', 'demote', 'off'] as const;

const UNIT = /^[a-z\d][a-z\d-]{0,31}$/;

/** A tier with its options checked. */
export class TierDefinition<S> implements Policies {
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
  /** The identities that it is enforced for: see `isInStage`. Undefined for all. */
  readonly stage: number | undefined;
  readonly charge: Charging;
  readonly record: ((subject: S) => MaybePromise<string | undefined>) | undefined;
  readonly label: ((subject: S) => MaybePromise<string | undefined>) | undefined;
  /** Undefined where no option of its algorithm depends on the subject. */
  readonly own: SubjectOption<S> | undefined;
  readonly lease: Lease | undefined;
  readonly onStoreFailure: OnStoreFailure;
  /** Of a limit function: the policy at any limit. All other numbers are the same. */
  readonly policy: Policy;
  readonly localPolicy: Policy;
  readonly storeKeys: StoreKeys;
  /** What a limiter does for options whose values a program imports. */
  readonly features: readonly Feature[];
  /** Only the key depends on the subject. */
  readonly isStatic: boolean;
  readonly #policies: TierPolicies;

  /** @throws ConfigError */
  constructor(tier: Tier<S>, name: string, context: Pick<TierContext<S>, 'owner' | 'prefix' | 'secret' | 'defaults'>) {
    const { prefix, secret, defaults } = context;
    const chosen = algorithmOption(tier, `tier "${name}"`);
    const algorithm = chosen.name;
    const options = readTierOptions(`tier "${name}" (${algorithm})`, tier, chosen);
    const { key = defaults.key } = tier as Partial<Tier<S>>;
    checkKey(options, key);
    // A backoff may allow no try that costs nothing.
    if (algorithm !== 'backoff') checkLimit(options, options.value('limit'));
    for (const text of ['record', 'label'] as const) {
      if (tier[text] === undefined || typeof tier[text] === 'function') continue;
      throw options.fail('OPTION_INVALID', text, 'must be a function of the subject');
    }
    if (typeof tier.cost !== 'function' && tier.cost !== undefined) options.integer('COST_INVALID', 'cost');
    this.name = name;
    this.owner = `tier "${name}"`;
    this.key = key;
    this.bounds = key.bounds;
    this.limit = 'limit' in tier ? tier.limit : undefined;
    this.cost = tier.cost;
    const unit = unitOf(options, tier.unit);
    const usage = importedValue<UsageValue>(options, 'usage', USAGE);
    this.features = featuresIn(tier);
    this.takesAll = options.choice('aboveFull', ['never', 'all'], 'never') === 'all';
    const mode = options.choice('mode', MODES, 'enforce');
    this.demotes = mode === 'demote';
    this.shadow = mode === 'shadow' || this.demotes;
    this.isOff = mode === 'off';
    this.stage = readStage(options);
    this.charge = options.choice('charge', CHARGING, 'admitted');
    this.record = tier.record;
    this.label = tier.label;
    this.own = readSubjectOption(options, this.owner, secret);
    const stated = {
      ...policyOptions(tier),
      ...(this.own && { [this.own.name]: this.own.base }),
      ...(isBan(options, this) && { forgive: 'one' }),
    } as PolicyOptions;
    const isBucket = takesSize(chosen.options);
    this.#policies = new TierPolicies({
      owner: this.owner,
      options: stated,
      limit: this.limit,
      // It goes with all other options: 1 with the shortest window, and the highest rate for every burst.
      anyLimit: isBucket ? MAX_BUCKET_UNITS : 1,
      own: this.own,
      unit,
      usage,
      moves: isBucket && typeof this.limit === 'function' && BUCKET_SIZES.some((size) => options.has(size)),
      share: defaults.share ?? 1,
    });
    ({ policy: this.policy, localPolicy: this.localPolicy } = this.#policies.base);
    const { limit: max, cost, record, label } = this;
    const hasNumbers = typeof max !== 'function' && typeof cost !== 'function' && this.policy.lasts === undefined;
    this.isStatic = hasNumbers && !record && !label && !this.isOff && this.stage === undefined && !this.own;
    checkMeaning(options, this.policy);
    if (algorithm === 'backoff' && this.charge === 'all') {
      throw options.fail(
        'OPTION_INVALID',
        'charge',
        "must be 'admitted' or 'denied' here: a denied request adds no strike",
      );
    }
    this.storeKeys = new StoreKeys({ prefix, secret, tier: name, shape: keyShape(this.policy) });
    this.lease = readLease(options, this.policy);
    this.onStoreFailure = onStoreFailureOf(options, this.policy, defaults.onStoreFailure);
    if (typeof this.limit === 'function' || this.takesAll) return;
    if (typeof this.cost === 'number' && this.cost > this.policy.capacity) {
      throw options.fail('COST_INVALID', 'cost', `must be at most ${this.policy.capacity}, or no request ever fits`);
    }
    if (this.cost === undefined) checkRequestCost(context.owner, defaults.cost, this);
  }

  /**
   * The policies at a limit that a function has returned, or that an override sets.
   *
   * @param results of the functions of the option that depends on the subject
   * @throws UsageError for results that the other options do not allow
   */
  policiesAt(limit: number, results?: unknown): Policies {
    const policies = this.#policies.at(limit, results === undefined ? undefined : this.own!.read(results));
    if (!(policies instanceof ConfigError)) return policies;
    const { message, option } = policies;
    throw new UsageError('FUNCTION_FAILED', `${message}, from the function ${option}`, { cause: policies });
  }

  /** What is wrong with a limit for this tier. */
  mistakeIn(limit: number): ConfigError | undefined {
    const policies = this.#policies.at(limit);
    return policies instanceof ConfigError ? policies : undefined;
  }
}

/** @throws ConfigError KEY_INVALID */
function checkKey(options: OptionReader, key: unknown): asserts key is KeyFunction<unknown> {
  if (typeof key === 'function' && isKeyFactory(key)) {
    throw options.fail('KEY_INVALID', 'key', `must be what ${key.name} returns: write ${key.name}()`);
  }
  if (typeof key === 'function') return;
  const rule = 'a function of the subject';
  throw key === undefined
    ? options.missing('KEY_INVALID', 'key', rule)
    : options.fail('KEY_INVALID', 'key', `must be ${rule}`);
}

/** @throws ConfigError OPTION_INVALID for a string that cannot end the name of a header */
function unitOf(options: OptionReader, unit: unknown): string | undefined {
  if (unit === undefined || (typeof unit === 'string' && UNIT.test(unit))) return unit;
  throw options.fail(
    'OPTION_INVALID',
    'unit',
    "must be 1 to 32 lower-case letters, digits and hyphens, such as 'tokens'",
  );
}

/** Explains limits that mean "never" or "unlimited" in other libraries. @throws ConfigError LIMIT_INVALID */
function checkLimit(options: OptionReader, limit: unknown): void {
  if (limit === 0) {
    throw options.fail('LIMIT_INVALID', 'limit', 'must be at least 1: to deny every request, write limit: () => 0');
  }
  if (limit === null || limit === -1 || limit === Infinity) {
    throw options.fail('LIMIT_INVALID', 'limit', 'must be a number of units: for no limit, write limit: () => null');
  }
}

/** @param known the options of an algorithm. Concurrency has a queue, too, but no window, so that it is no bucket. */
function takesSize(known: readonly string[]): boolean {
  return known.includes('window') && BUCKET_SIZES.some((size) => known.includes(size));
}

/** Options that have no meaning where units come back, or none are spent. @throws ConfigError OPTION_INVALID */
function checkMeaning(options: OptionReader, { covers, algorithm }: Policy): void {
  const refuse = (names: readonly string[], reason: string) => {
    const name = names.find((each) => options.has(each));
    if (name !== undefined)
      throw options.fail('OPTION_INVALID', name, `cannot be combined with ${reason}: leave it out`);
  };
  if (algorithm.endsWithRequest) {
    refuse(['lease', 'charge', 'usage'], 'concurrency, whose units come back when their requests end');
  }
  if (algorithm.name === 'backoff') refuse(['usage'], 'backoff, which counts strikes');
  if (algorithm.chargesNobody)
    refuse(['cost', 'unit', 'aboveFull', 'charge', 'record', 'lease', 'usage'], 'pause, which charges no request');
  if (algorithm.neverRefills) refuse(['charge', 'lease', 'record', 'aboveFull'], 'balance, whose units never refill');
  const mode = options.value('mode');
  const isTried = options.has('enforce') || mode === 'shadow' || mode === 'demote';
  if (covers !== undefined && isTried) {
    throw options.fail(
      'OPTION_INVALID',
      'covers',
      "cannot be combined with enforce and mode: 'shadow' or 'demote': it denies no request",
    );
  }
}

/** A process has no copy of a balance: without the store it cannot decide, or it covers no tier. */
function onStoreFailureOf(
  options: OptionReader,
  { algorithm, covers }: Policy,
  ofLimiter: OnStoreFailure = 'local',
): OnStoreFailure {
  if (!algorithm.neverRefills) return options.choice('onStoreFailure', ON_STORE_FAILURE, ofLimiter);
  const inherited = ofLimiter === 'local' ? (covers === undefined ? 'deny' : 'allow') : ofLimiter;
  return options.choice<OnStoreFailure>('onStoreFailure', ['allow', 'deny'], inherited);
}

/** A ban forgives nothing. @throws ConfigError OPTION_INVALID for a ban with `forgive` */
function isBan(options: OptionReader, { charge }: TierDefinition<never>): boolean {
  if (options.value('algorithm') !== 'backoff' || charge !== 'denied') return false;
  const rule = "cannot be combined with charge: 'denied', because no success forgives a ban: leave it out";
  if (options.has('forgive')) throw options.fail('OPTION_INVALID', 'forgive', rule);
  return true;
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
  const ours: readonly string[] = TIER_OPTIONS;
  return Object.fromEntries(Object.entries(tier).filter(([name]) => !ours.includes(name))) as unknown as PolicyOptions;
}
