import type { Claim } from '../model/claim.js';
import { UsageError } from '../model/errors.js';
import { isKey, type Key } from '../model/identity.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import { show } from '../model/option-reader.js';
import type { Ask } from './ask.js';
import { attempt } from './attempt.js';
import type { KeyMaker } from './key-maker.js';
import type { TierDefinition } from './tier-definition.js';

const RECORD_BYTES = 64;
const BYTES = new Uint8Array(RECORD_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The functions that return units. */
const NUMBERS: ReadonlySet<string> = new Set(['limit', 'cost']);

/** Asks the functions of tiers about a subject. */
export class Asker<S> {
  readonly #keys: KeyMaker;
  readonly #partition: ((subject: S) => MaybePromise<Key>) | undefined;

  constructor(keys: KeyMaker, partition: ((subject: S) => MaybePromise<Key>) | undefined) {
    this.#keys = keys;
    this.#partition = partition;
  }

  /**
   * The asks of the tiers that apply, in their order. All functions are called, in order, before one is awaited.
   * Rejects with UsageError when one fails or returns nonsense.
   */
  asks(tiers: readonly TierDefinition<S>[], subject: S, cost: number): MaybePromise<readonly Ask<S>[]> {
    return this.#collect(tiers, subject, (tier) => answersOf(tier, subject, cost));
  }

  /** Asks for one unit of each tier, by key and limit alone: what an operator knows of a subject is enough. */
  asksForOne(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<readonly Ask<S>[]> {
    return this.#collect(tiers, subject, (tier) => [keyOf(tier, subject), limitOf(tier, subject), 1, undefined]);
  }

  #collect(
    tiers: readonly TierDefinition<S>[],
    subject: S,
    answersOfTier: (tier: TierDefinition<S>) => Answers,
  ): MaybePromise<readonly Ask<S>[]> {
    const partition = this.#partition && attempt('limiter', 'partition', this.#partition, subject);
    const answers = tiers.map(answersOfTier);
    if (!(partition instanceof Promise) && !answers.some(hasPromise)) {
      return orRejection(() => this.#build(tiers, partition, answers));
    }
    return Promise.all([partition, ...answers.map((each) => Promise.all(each))]).then(([tag, ...all]) =>
      this.#build(tiers, tag, all as Answers[]),
    );
  }

  /** The keys of tiers, whatever their limits are. */
  keys(tiers: readonly TierDefinition<S>[], subject: S): MaybePromise<readonly string[]> {
    const partition = this.#partition && attempt('limiter', 'partition', this.#partition, subject);
    const keys = tiers.map((tier) => keyOf(tier, subject));
    const build = (tag: unknown, found: readonly unknown[]) =>
      tiers.map((tier, index) => this.#key(tier, found[index], this.#tag(tag)));
    if (!(partition instanceof Promise) && !hasPromise(keys)) return orRejection(() => build(partition, keys));
    return Promise.all([partition, ...keys]).then(([tag, ...found]) => build(tag, found));
  }

  #build(tiers: readonly TierDefinition<S>[], partition: unknown, answers: readonly Answers[]): readonly Ask<S>[] {
    const tag = this.#tag(partition);
    const asks: Ask<S>[] = [];
    for (let index = 0; index < tiers.length; index += 1) {
      const tier = tiers[index]!;
      const [key, limit, cost, record] = answers[index]!;
      if (limit === null) continue;
      const units = wholeNumber(tier, 'cost', cost);
      const most = wholeNumber(tier, 'limit', limit);
      if (most === 0) {
        asks.push({ tier, cost: units, claim: undefined });
        continue;
      }
      const { policy, local } = tier.policiesAt(most);
      const claim: Claim = {
        tier: tier.name,
        key: this.#key(tier, key, tag),
        policy,
        cost: units,
        shadow: tier.shadow,
        countDenied: tier.countDenied,
        record: recordText(tier, record),
        lease: tier.lease,
        onStoreFailure: tier.onStoreFailure,
        localPolicy: local,
      };
      asks.push({ tier, cost: units, claim });
    }
    return asks;
  }

  #tag(partition: unknown): string | undefined {
    if (this.#partition === undefined) return undefined;
    if (isKey(partition)) return this.#keys.digest(partition);
    throw nonsense('limiter', 'partition', 'a non-empty text or an identity', partition);
  }

  #key(tier: TierDefinition<S>, key: unknown, tag: string | undefined): string {
    if (!isKey(key)) throw nonsense(tier.owner, 'key', 'a non-empty text or an identity', key);
    return this.#keys.key(this.#keys.digest(key), tag, tier.name, tier.shape);
  }
}

/** What a tier says of a subject, by its functions where it has them: key, limit, cost, record. */
type Answers = readonly [key: unknown, limit: unknown, cost: unknown, record: unknown];

function answersOf<S>(tier: TierDefinition<S>, subject: S, cost: number): Answers {
  return [
    keyOf(tier, subject),
    limitOf(tier, subject),
    typeof tier.cost === 'function' ? attempt(tier.owner, 'cost', tier.cost, subject) : (tier.cost ?? cost),
    tier.record && attempt(tier.owner, 'record', tier.record, subject),
  ];
}

function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return attempt(tier.owner, 'key', tier.key, subject);
}

function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return typeof tier.limit === 'function' ? attempt(tier.owner, 'limit', tier.limit, subject) : tier.policy.limit;
}

function orRejection<T>(build: () => T): MaybePromise<T> {
  try {
    return build();
  } catch (error) {
    return Promise.reject(error);
  }
}

function hasPromise(answers: readonly unknown[]): boolean {
  for (const answer of answers) if (answer instanceof Promise) return true;
  return false;
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
