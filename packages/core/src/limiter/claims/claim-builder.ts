import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import { isKey, type Key } from '../../model/identity.js';
import { show } from '../../options/option-reader.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction } from './call-user-function.js';
import { ClaimSet, type TierClaim } from './claim-set.js';

const MAX_RECORD_BYTES = 64;
const RECORD = new Uint8Array(MAX_RECORD_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** The functions whose results an error message may quote: all others may return an identity. */
const QUOTABLE: ReadonlySet<string> = new Set(['limit', 'cost']);

type Tiers<S> = readonly TierDefinition<S>[];

/** What a tier asks for a subject: numbers of its definition, and results of its functions. */
interface TierValues {
  readonly key: unknown;
  readonly limit: unknown;
  readonly cost: unknown;
  readonly record: unknown;
}

/** Builds the claims of requests: calls the functions of tiers, awaits them where they are async, checks the results. */
export class ClaimBuilder<S> {
  readonly #partition: ((subject: S) => MaybePromise<Key>) | undefined;

  constructor(partition: ((subject: S) => MaybePromise<Key>) | undefined) {
    this.#partition = partition;
  }

  /**
   * The claims of a subject on the tiers that apply. Calls all functions, in order, before it awaits one.
   *
   * @throws UsageError when a function fails or returns an invalid value; as a rejection where a function is async
   */
  build(tiers: Tiers<S>, subject: S, cost: number): MaybePromise<ClaimSet> {
    return this.#resolve(
      subject,
      () => tiers.map((tier) => valuesOf(tier, subject, cost)),
      (values, partition) => claimSetOf(tiers, values, partition),
    );
  }

  /** Claims of one unit, by key and limit alone: an operator may know no more of a subject. */
  buildUnits(tiers: Tiers<S>, subject: S): MaybePromise<ClaimSet> {
    return this.#resolve(
      subject,
      () => tiers.map((tier) => ({ key: keyOf(tier, subject), limit: limitOf(tier, subject), cost: 1, record: '' })),
      (values, partition) => claimSetOf(tiers, values, partition),
    );
  }

  /** The store keys of a subject, whatever the limits are. */
  storeKeys(tiers: Tiers<S>, subject: S): MaybePromise<readonly string[]> {
    return this.#resolve(
      subject,
      () => tiers.map((tier) => ({ key: keyOf(tier, subject), limit: 1, cost: 1, record: '' })),
      (values, partition) => tiers.map((tier, index) => storeKeyOf(tier, values[index]!.key, partition)),
    );
  }

  /** Functions to values: at once, or by promise where a function has returned one. */
  #resolve<T>(
    subject: S,
    call: () => readonly TierValues[],
    build: (values: readonly TierValues[], partition: Key | undefined) => T,
  ): MaybePromise<T> {
    const partition = this.#partition && callUserFunction('limiter', 'partition', this.#partition, subject);
    const values = call();
    if (!(partition instanceof Promise) && !values.some(isPending)) return build(values, this.#checked(partition));
    return Promise.all([partition, ...values.map(settled)]).then(([tag, ...all]) => build(all, this.#checked(tag)));
  }

  #checked(partition: unknown): Key | undefined {
    if (this.#partition === undefined || isKey(partition)) return partition as Key | undefined;
    throw invalidResult('limiter', 'partition', 'a non-empty text or an identity', partition);
  }
}

function valuesOf<S>(tier: TierDefinition<S>, subject: S, cost: number): TierValues {
  return {
    key: keyOf(tier, subject),
    limit: limitOf(tier, subject),
    cost:
      typeof tier.cost === 'function' ? callUserFunction(tier.owner, 'cost', tier.cost, subject) : (tier.cost ?? cost),
    record: tier.record && callUserFunction(tier.owner, 'record', tier.record, subject),
  };
}

function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return typeof tier.limit === 'function'
    ? callUserFunction(tier.owner, 'limit', tier.limit, subject)
    : tier.policy.limit;
}

function isPending({ key, limit, cost, record }: TierValues): boolean {
  return key instanceof Promise || limit instanceof Promise || cost instanceof Promise || record instanceof Promise;
}

async function settled(values: TierValues): Promise<TierValues> {
  const [key, limit, cost, record] = await Promise.all([values.key, values.limit, values.cost, values.record]);
  return { key, limit, cost, record };
}

function claimSetOf(tiers: Tiers<never>, values: readonly TierValues[], partition: Key | undefined): ClaimSet {
  const tierClaims: TierClaim[] = [];
  const claims: Claim[] = [];
  for (let index = 0; index < tiers.length; index += 1) {
    const tier = tiers[index]!;
    const { key, limit, cost, record } = values[index]!;
    if (limit === null) continue;
    const units = wholeNumber(tier, 'cost', cost);
    const { name, shadow, countDenied, lease, onStoreFailure } = tier;
    if (wholeNumber(tier, 'limit', limit) === 0) {
      tierClaims.push({ tier, cost: units, claim: undefined });
      continue;
    }
    const { policy, local } = tier.policiesAt(limit as number);
    // Built for each request: to cache claims cost four cache misses of the processor, more than an allocation.
    const claim: Claim = {
      tier: name,
      key: storeKeyOf(tier, key, partition),
      policy,
      cost: units,
      shadow,
      countDenied,
      record: recordText(tier, record),
      lease,
      onStoreFailure,
      localPolicy: local,
    };
    tierClaims.push({ tier, cost: units, claim });
    claims.push(claim);
  }
  return new ClaimSet(tierClaims, claims);
}

function storeKeyOf(tier: TierDefinition<never>, key: unknown, partition: Key | undefined): string {
  if (isKey(key)) return tier.storeKeys.keyOf(key, partition);
  throw invalidResult(tier.owner, 'key', 'a non-empty text or an identity', key);
}

function wholeNumber(tier: TierDefinition<never>, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidResult(tier.owner, name, `an integer of at least 0${name === 'limit' ? ', or null' : ''}`, value);
}

function recordText(tier: TierDefinition<never>, text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw invalidResult(tier.owner, 'record', 'text or undefined', text);
  // `encodeInto` writes whole characters only. The decoded text holds no reference to the whole one, as a slice would.
  const { written } = ENCODER.encodeInto(text, RECORD);
  return DECODER.decode(RECORD.subarray(0, written));
}

function invalidResult(owner: string, name: string, rule: string, value: unknown): UsageError {
  const shown = typeof value === 'number' && QUOTABLE.has(name) ? String(value) : kindOf(value);
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}`);
}

/** The type of a value in words, without its content: any value may identify a client. */
function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (value === '') return 'empty text';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' || typeof value === 'function' ? show(value) : `a ${typeof value}`;
}
