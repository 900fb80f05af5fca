import type { Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import { isKey, type Key } from '../../model/identity.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { show } from '../../options/option-reader.js';
import { detachedCopy } from '../../cache/detached-copy.js';
import { ClaimSet, type TierClaim } from './claim-set.js';
import { callUserFunction } from './call-user-function.js';
import type { StoreKeys } from './store-keys.js';
import type { Policies, TierDefinition } from '../tiers/tier-definition.js';

const RECORD_BYTES = 64;
const BYTES = new Uint8Array(RECORD_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The functions that return units. */
const NUMBERS: ReadonlySet<string> = new Set(['limit', 'cost']);

/** Asks the functions of tiers about a subject. */
export class ClaimBuilder<S> {
  readonly #keys: StoreKeys;
  readonly #partition: ((subject: S) => MaybePromise<Key>) | undefined;

  constructor(keys: StoreKeys, partition: ((subject: S) => MaybePromise<Key>) | undefined) {
    this.#keys = keys;
    this.#partition = partition;
  }

  /**
   * What a subject asks of the tiers that apply. All functions are called, in order, before one is awaited.
   * Throws or rejects with UsageError when one fails or returns nonsense.
   */
  ask(tiers: readonly TierDefinition<S>[], subject: S, cost: number): MaybePromise<ClaimSet> {
    // Nearly always: a unit of limits that are the same for everybody, of which only the keys are to be found out.
    const isOne = cost === 1 && this.#partition === undefined && tiers.length > 0;
    if (isOne && tiers.every(isStatic)) return this.#askSteady(tiers, subject);
    return this.#collect(tiers, subject, (tier) => answersOf(tier, subject, cost));
  }

  /** Asks for one unit of each tier, by key and limit alone: what an operator knows of a subject is enough. */
  buildUnit(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<ClaimSet> {
    return this.#collect(tiers, subject, (tier) => [keyOf(tier, subject), limitOf(tier, subject), 1, undefined]);
  }

  #askSteady(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<ClaimSet> {
    if (tiers.length === 1) {
      const key = keyOf(tiers[0]!, subject);
      return key instanceof Promise ? key.then((found) => this.#unitOf(tiers, found)) : this.#unitOf(tiers, key);
    }
    const keys = tiers.map((tier) => keyOf(tier, subject));
    return hasPromise(keys)
      ? Promise.all(keys).then((found) => this.#unitsOf(tiers, found))
      : this.#unitsOf(tiers, keys);
  }

  /** @param tiers one */
  #unitOf(tiers: readonly TierDefinition<S>[], key: unknown): ClaimSet {
    const tier = tiers[0]!;
    if (!isKey(key)) throw noKey(tier, key);
    return new ClaimSet(tiers, [unit(tier, this.#key(tier, key))]);
  }

  #unitsOf(tiers: readonly TierDefinition<S>[], keys: readonly unknown[]): ClaimSet {
    checkKeys(tiers, keys);
    const { requests } = tiers.at(-1)!;
    let texts = requests.get(keys);
    if (texts === undefined) {
      texts = tiers.map((tier, index) => this.#key(tier, keys[index]!));
      requests.set(keys, texts);
    }
    const claims = new Array<Claim>(tiers.length);
    for (let index = 0; index < claims.length; index += 1) claims[index] = unit(tiers[index]!, texts[index]!);
    return new ClaimSet(tiers, claims);
  }

  #collect(
    tiers: readonly TierDefinition<S>[],
    subject: S,
    answersOfTier: (tier: TierDefinition<S>) => Answers,
  ): MaybePromise<ClaimSet> {
    const partition = this.#partition && callUserFunction('limiter', 'partition', this.#partition, subject);
    const answers = tiers.map(answersOfTier);
    let isWaiting = partition instanceof Promise;
    for (const each of answers) if (hasPromise(each)) isWaiting = true;
    if (!isWaiting) return this.#build(tiers, partition, answers);
    return Promise.all([partition, ...answers.map((each) => Promise.all(each))]).then(([tag, ...all]) =>
      this.#build(tiers, tag, all as Answers[]),
    );
  }

  /** The keys of tiers, whatever their limits are. */
  keys(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<readonly string[]> {
    const partition = this.#partition && callUserFunction('limiter', 'partition', this.#partition, subject);
    const keys = tiers.map((tier) => keyOf(tier, subject));
    const build = (tag: unknown, found: readonly unknown[]) =>
      tiers.map((tier, index) => this.#keyWithin(this.#tag(tag), tier, found[index]));
    if (!(partition instanceof Promise) && !hasPromise(keys)) return build(partition, keys);
    return Promise.all([partition, ...keys]).then(([tag, ...found]) => build(tag, found));
  }

  #build(tiers: readonly TierDefinition<S>[], partition: unknown, answers: readonly Answers[]): ClaimSet {
    const tag = this.#tag(partition);
    const asks = new Array<TierClaim>(tiers.length);
    let count = 0;
    for (let index = 0; index < tiers.length; index += 1) {
      const tier = tiers[index]!;
      const [key, limit, cost, record] = answers[index]!;
      if (limit === null) continue;
      const units = wholeNumber(tier, 'cost', cost);
      const most = wholeNumber(tier, 'limit', limit);
      asks[count++] =
        most === 0
          ? { tier, cost: units, claim: undefined }
          : { tier, cost: units, claim: this.#claim(tier, key, tag, units, most, record) };
    }
    if (count < asks.length) asks.length = count;
    return ClaimSet.of(asks);
  }

  #claim(
    tier: TierDefinition<S>,
    key: unknown,
    tag: string | undefined,
    cost: number,
    limit: number,
    record: unknown,
  ): Claim {
    const policies = tier.policiesAt(limit);
    const text = recordText(tier, record);
    return claimOf(tier, this.#keyWithin(tag, tier, key), cost, policies, text);
  }

  #tag(partition: unknown): string | undefined {
    if (this.#partition === undefined) return undefined;
    if (isKey(partition)) return this.#keys.digest(partition);
    throw nonsense('limiter', 'partition', 'a non-empty text or an identity', partition);
  }

  #keyWithin(tag: string | undefined, tier: TierDefinition<S>, key: unknown): string {
    if (!isKey(key)) throw noKey(tier, key);
    return tag === undefined ? this.#key(tier, key) : this.#make(tier, key, tag);
  }

  #key(tier: TierDefinition<S>, key: Key): string {
    const known = tier.keys.get(key);
    if (known !== undefined) return known;
    // In one piece, for text that was put together is looked up in its pieces each time.
    const text = detachedCopy(this.#make(tier, key, undefined));
    tier.keys.set(key, text);
    return text;
  }

  #make(tier: TierDefinition<S>, key: Key, tag: string | undefined): string {
    return this.#keys.key(this.#keys.digest(key), tag, tier.name, tier.shape);
  }
}

function unit(tier: TierDefinition<never>, key: string): Claim {
  return claimOf(tier, key, 1, tier.policies, undefined);
}

/**
 * Made for each request. To remember it would spare less than it takes to get it from memory, for which a processor waits
 * at each object anew.
 */
function claimOf(
  tier: TierDefinition<never>,
  key: string,
  cost: number,
  { policy, local }: Policies,
  record: string | undefined,
): Claim {
  const { name, shadow, countDenied, lease, onStoreFailure } = tier;
  return { tier: name, key, policy, cost, shadow, countDenied, record, lease, onStoreFailure, localPolicy: local };
}

/** What a tier says of a subject, by its functions where it has them: key, limit, cost, record. */
type Answers = readonly [key: unknown, limit: unknown, cost: unknown, record: unknown];

function answersOf<S>(tier: TierDefinition<S>, subject: S, cost: number): Answers {
  return [
    keyOf(tier, subject),
    limitOf(tier, subject),
    typeof tier.cost === 'function' ? callUserFunction(tier.owner, 'cost', tier.cost, subject) : (tier.cost ?? cost),
    tier.record && callUserFunction(tier.owner, 'record', tier.record, subject),
  ];
}

/** What it asks of a request of one unit depends on nothing but the key. */
function isStatic({ isStatic: steady }: TierDefinition<never>): boolean {
  return steady;
}

/** @throws UsageError for the first that is none */
function checkKeys(tiers: readonly TierDefinition<never>[], keys: readonly unknown[]): asserts keys is readonly Key[] {
  for (let index = 0; index < keys.length; index += 1) {
    if (!isKey(keys[index])) throw noKey(tiers[index]!, keys[index]);
  }
}

function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return typeof tier.limit === 'function'
    ? callUserFunction(tier.owner, 'limit', tier.limit, subject)
    : tier.policy.limit;
}

function hasPromise(answers: readonly unknown[]): boolean {
  for (const answer of answers) if (answer instanceof Promise) return true;
  return false;
}

function noKey(tier: TierDefinition<never>, key: unknown): UsageError {
  return nonsense(tier.owner, 'key', 'a non-empty text or an identity', key);
}

function wholeNumber(tier: TierDefinition<never>, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw nonsense(tier.owner, name, `an integer of at least 0${name === 'limit' ? ', or null' : ''}`, value);
}

function recordText(tier: TierDefinition<never>, text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw nonsense(tier.owner, 'record', 'text or undefined', text);
  // A character is 1 to 4 bytes, and only what is whole is kept.
  const { written } = ENCODER.encodeInto(text, BYTES);
  // A slice would hold on to all of the text.
  return DECODER.decode(BYTES.subarray(0, written));
}

function nonsense(owner: string, name: string, rule: string, value: unknown): UsageError {
  // A key that is a number identifies somebody, and so can any text.
  const shown = typeof value === 'number' && NUMBERS.has(name) ? String(value) : kindOf(value);
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}`);
}

/** What a value is, and nothing of what is in it. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'empty text';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' || typeof value === 'function' ? show(value) : `a ${typeof value}`;
}
