import { isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import type { Claim } from '../../model/claim.js';
import { UsageError } from '../../model/errors.js';
import type { Key } from '../../model/identity.js';
import { IdentityDigest } from '../../model/identity-digest.js';
import type { Outcome } from '../../model/outcome.js';
import { kindOf } from '../../options/option-reader.js';
import type { Plan } from '../compile.js';
import { isInStage } from '../tiers/stage.js';
import type { Policies, TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction, withOwner } from './call-user-function.js';
import { zeroLimitOutcome, type ClaimSet, type PlannedClaims } from './claim-set.js';
import { digestIn, identityText } from './store-keys.js';

const MAX_TEXT_BYTES = 64;
const TEXT = new Uint8Array(MAX_TEXT_BYTES);
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** An error message may quote the results of these functions: all others may return an identity. */
const QUOTABLE: ReadonlySet<string> = new Set(['limit', 'cost']);

type Tiers<S> = readonly TierDefinition<S>[];

/** What a tier asks for a subject: numbers of its definition, and results of its functions. */
interface TierValues {
  readonly key: unknown;
  readonly limit: unknown;
  readonly cost: unknown;
  readonly record: unknown;
  readonly label: unknown;
}

/** The values of an operation that charges nothing, beside its key and limit. */
const ONE_UNIT = { cost: 1, record: undefined, label: undefined };
/** The values of a tier that is off. */
const NOT_APPLIED: TierValues = { ...ONE_UNIT, key: undefined, limit: null };

/** Builds the claims of requests: calls the functions of tiers, awaits them where they are async, checks the results. */
export class ClaimBuilder<S> {
  readonly #owner: string;
  readonly #partition: ((subject: S) => MaybePromise<Key>) | undefined;

  /** @param owner of the partition: the first words of error messages */
  constructor(owner: string, partition: ((subject: S) => MaybePromise<Key>) | undefined) {
    this.#owner = owner;
    this.#partition = partition;
  }

  get isPartitioned(): boolean {
    return this.#partition !== undefined;
  }

  /**
   * The claims of a subject on the tiers of a plan that apply. Calls all functions, in order, before it awaits one.
   *
   * @throws UsageError when a function fails or returns an invalid value; as a rejection where a function is async
   */
  build(plan: Plan<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    const { tiers, isStatic } = plan;
    // The usual request. The general path takes 17 to 30 % more CPU a check: steady-tiers in docs/benchmarks/tricks.md.
    if (isStatic) {
      const identities = callKeys(tiers, subject);
      return identities instanceof Promise
        ? identities.then((each) => staticClaims(plan, each, cost))
        : staticClaims(plan, identities, cost);
    }
    return this.#resolve(tiers, subject, {
      call: (tier) => valuesOf(tier, subject, cost),
      build: (all, values, partition) => Object.assign(claimSetOf(all, values, partition), { plan }),
    });
  }

  /** Claims of a cost, by key and limit alone: an operator may know no more of a subject. */
  buildUnits(tiers: Tiers<S>, subject: S, cost = 1): MaybePromise<ClaimSet> {
    return this.#resolve(tiers, subject, {
      call: (tier) => ({ ...ONE_UNIT, key: keyOf(tier, subject), limit: limitOf(tier, subject), cost }),
      build: claimSetOf,
    });
  }

  /** The store keys of a subject, whatever the limits are. */
  storeKeys(tiers: Tiers<S>, subject: S): MaybePromise<readonly string[]> {
    return this.#resolve(tiers, subject, {
      call: (tier) => ({ ...ONE_UNIT, key: keyOf(tier, subject), limit: 1 }),
      build: (_, values, partition) => tiers.map((tier, index) => storeKeyOf(tier, values[index]!.key, partition)),
    });
  }

  /** The claims of an identity, without a subject: as if each key function had returned it. */
  buildFor(tiers: Tiers<S>, identity: unknown, { cost, limit, partition }: IdentityNumbers): ClaimSet {
    if (identityText(identity) === undefined && !this.#canFind(identity)) throw invalidIdentity('identity', identity);
    const tag = this.#partition && identityText(partition);
    if (this.#partition && tag === undefined) throw invalidIdentity('partition', partition);
    const values = tiers.map((tier): TierValues => {
      const own = typeof tier.limit === 'function' ? limit : tier.policy.limit;
      if (own !== undefined) return { ...ONE_UNIT, key: identity, limit: own, cost };
      const remedy = 'pass the limit of this identity as limit, or name other tiers';
      throw new UsageError('USAGE_INVALID', `${tier.owner}: the limit is a function of the subject: ${remedy}`);
    });
    return claimSetOf(tiers, values, tag);
  }

  /** The digest of a partition is not in that of an identity. */
  #canFind(identity: unknown): boolean {
    return identity instanceof IdentityDigest && !this.isPartitioned;
  }

  /** Calls the functions of the tier. Synchronous, unless one returns a promise. */
  #resolve<T>(tiers: Tiers<S>, subject: S, { call, build }: Steps<S, T>): MaybePromise<T> {
    const partition = this.#partition && callUserFunction(this.#owner, 'partition', this.#partition, subject);
    const values = new Array<TierValues>(tiers.length);
    let isPending = partition instanceof Promise;
    for (let index = 0; index < tiers.length; index += 1) {
      const each = call(tiers[index]!);
      values[index] = each;
      isPending ||= hasPromise(each);
    }
    if (!isPending) return build(tiers, values, this.#checked(partition));
    return Promise.all([partition, ...values.map(settled)]).then(([tag, ...all]) =>
      build(tiers, all, this.#checked(tag)),
    );
  }

  /** The text of the identity of a partition. */
  #checked(partition: unknown): string | undefined {
    if (this.#partition === undefined) return undefined;
    const text = identityText(partition);
    if (text !== undefined) return text;
    throw invalidResult(this.#owner, 'partition', 'a non-empty text, a whole number or an identity', partition);
  }
}

interface IdentityNumbers {
  readonly cost: number;
  /** For tiers whose limit is a function. */
  readonly limit?: number | undefined;
  /** The identity of the partition. */
  readonly partition?: unknown;
}

interface Steps<S, T> {
  /** Calls the functions of a tier. */
  readonly call: (tier: TierDefinition<S>) => TierValues;
  readonly build: (tiers: Tiers<S>, values: readonly TierValues[], partition: string | undefined) => T;
}

function valuesOf<S>(tier: TierDefinition<S>, subject: S, cost: number): TierValues {
  if (tier.isOff) return NOT_APPLIED;
  const key = keyOf(tier, subject);
  const { owner, cost: own, record, label } = tier;
  return {
    key,
    limit: limitOf(tier, subject),
    cost: typeof own === 'function' ? callUserFunction(owner, 'cost', own, subject) : (own ?? cost),
    record: record && callUserFunction(owner, 'record', record, subject),
    label: label && callUserFunction(owner, 'label', label, subject),
  };
}

/** The identities of a subject, in the order of the tiers. Tiers of one key function that follow each other share a call. */
function callKeys<S>(tiers: Tiers<S>, subject: S): MaybePromise<readonly unknown[]> {
  const identities = new Array<unknown>(tiers.length);
  let isPending = false;
  for (let index = 0; index < tiers.length; index += 1) {
    const { key } = tiers[index]!;
    if (index > 0 && key === tiers[index - 1]!.key) {
      identities[index] = identities[index - 1];
      continue;
    }
    try {
      identities[index] = key(subject);
    } catch (cause) {
      // A rejection, so that the promises of the other functions are handled too.
      identities[index] = Promise.reject(cause);
    }
    if (isPromise(identities[index])) isPending = true;
  }
  if (!isPending) return identities;
  return Promise.all(identities.map((identity, index) => withOwner(tiers[index]!.owner, 'key', identity, subject)));
}

/** The claims on tiers without functions except `key`. */
function staticClaims(plan: Plan<never>, identities: readonly unknown[], cost: number): PlannedClaims {
  const { tiers } = plan;
  const claims = new Array<Claim>(tiers.length);
  for (let index = 0; index < tiers.length; index += 1) {
    const tier = tiers[index]!;
    const slotHint = tier.storeKeys.storedKeyOf(identities[index]);
    const key = slotHint?.storeKey ?? storeKeyOf(tier, identities[index], undefined);
    const units = typeof tier.cost === 'number' ? tier.cost : cost;
    claims[index] = claimOf(tier, key, { cost: units, policies: tier, record: undefined, slotHint });
  }
  return { plan, tiers, claims, zeroLimits: undefined, labels: undefined };
}

function keyOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  return callUserFunction(tier.owner, 'key', tier.key, subject);
}

function limitOf<S>(tier: TierDefinition<S>, subject: S): unknown {
  const { owner, limit, policy } = tier;
  return typeof limit === 'function' ? callUserFunction(owner, 'limit', limit, subject) : policy.limit;
}

function hasPromise({ key, limit, cost, record, label }: TierValues): boolean {
  if (key instanceof Promise || limit instanceof Promise || cost instanceof Promise) return true;
  return record instanceof Promise || label instanceof Promise;
}

async function settled(values: TierValues): Promise<TierValues> {
  const { key, limit, cost, record, label } = values;
  const all = await Promise.all([key, limit, cost, record, label]);
  return { key: all[0], limit: all[1], cost: all[2], record: all[3], label: all[4] };
}

function claimSetOf(tiers: Tiers<never>, values: readonly TierValues[], partition: string | undefined): ClaimSet {
  const applying: TierDefinition<never>[] = [];
  const claims: Claim[] = [];
  const zeroLimits: Outcome[] = [];
  const labels = new Map<string, string>();
  for (const [index, tier] of tiers.entries()) {
    const { key, limit, cost, record, label } = values[index]!;
    if (limit === null) continue;
    const units = wholeNumber(tier, 'cost', cost);
    const max = wholeNumber(tier, 'limit', limit);
    applying.push(tier);
    // A backoff of 0 admits a request, and blocks after it.
    if (max === 0 && tier.policy.algorithm !== 'backoff') {
      const shadow = tier.stage === undefined ? tier.shadow : isShadowed(tier, storeKeyOf(tier, key, partition));
      zeroLimits.push(zeroLimitOutcome(tier, units, shadow));
    } else {
      const storeKey = storeKeyOf(tier, key, partition);
      const numbers = { cost: units, policies: tier.policiesAt(max), record: shortText(tier, 'record', record) };
      const claim = claimOf(tier, storeKey, numbers);
      claims.push(tier.stage === undefined ? claim : { ...claim, shadow: isShadowed(tier, storeKey) });
    }
    const text = shortText(tier, 'label', label);
    if (text !== undefined) labels.set(tier.name, text);
  }
  return {
    tiers: applying,
    claims,
    zeroLimits: zeroLimits.length > 0 ? zeroLimits : undefined,
    labels: labels.size > 0 ? labels : undefined,
  };
}

/** True for an identity outside of the stage of its tier. */
function isShadowed({ name, stage }: TierDefinition<never>, storeKey: string): boolean {
  return !isInStage(stage!, digestIn(storeKey, name));
}

interface ClaimNumbers extends Pick<Claim, 'cost' | 'record' | 'slotHint'> {
  readonly policies: Policies;
}

/** Built for each request: claims from a cache cost four cache misses of the processor, more than an allocation. */
function claimOf(
  { name, takesAll, shadow, charge, lease, onStoreFailure }: TierDefinition<never>,
  key: string,
  { cost, policies: { policy, localPolicy }, record, slotHint }: ClaimNumbers,
): Claim {
  return {
    tier: name,
    key,
    slotHint,
    policy,
    cost: takesAll && cost > policy.capacity ? policy.capacity : cost,
    takesAll,
    shadow,
    charge,
    record,
    lease,
    onStoreFailure,
    localPolicy,
    trace: undefined,
  };
}

function storeKeyOf(tier: TierDefinition<never>, identity: unknown, partition: string | undefined): string {
  const key = tier.storeKeys.keyOf(identity, partition);
  if (key !== undefined) return key;
  throw invalidResult(tier.owner, 'key', 'a non-empty text, a whole number or an identity', identity);
}

function wholeNumber(tier: TierDefinition<never>, name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidResult(tier.owner, name, `an integer of at least 0${name === 'limit' ? ', or null' : ''}`, value);
}

function shortText(tier: TierDefinition<never>, name: 'record' | 'label', text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string') throw invalidResult(tier.owner, name, 'text or undefined', text);
  // `encodeInto` writes whole characters only. The decoded text holds no reference to the whole one, as a slice would.
  const { written } = ENCODER.encodeInto(text, TEXT);
  return DECODER.decode(TEXT.subarray(0, written));
}

function invalidIdentity(name: string, value: unknown): UsageError {
  const rule = 'a non-empty text, a whole number or an identity such as byIp()({ ip })';
  return new UsageError('USAGE_INVALID', `limiter: ${name} must be ${rule}, got ${kindOf(value)}`);
}

function invalidResult(owner: string, name: string, rule: string, value: unknown): UsageError {
  const shown = typeof value === 'number' && QUOTABLE.has(name) ? String(value) : kindOf(value);
  return new UsageError('FUNCTION_FAILED', `${owner}: the function ${name} must return ${rule}, got ${shown}`);
}
