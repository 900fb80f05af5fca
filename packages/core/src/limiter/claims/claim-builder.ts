// claims/ finds what a request asks of each tier: identity, store key, limit and cost. The subject of a request enters,
// and claims leave. It imports the definitions of tiers.
import { isPromise } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { UsageError } from '../../model/errors.js';
import type { Key } from '../../model/identity.js';
import { IdentityDigest } from '../../model/identity-digest.js';
import { kindOf } from '../../options/show.js';
import type { TierChange } from './claim-change.js';
import type { PlanFacts } from './plan.js';
import type { TierDefinition } from '../tiers/tier-definition.js';
import { callUserFunction } from '../tiers/call-user-function.js';
import type { ClaimSet, PlannedClaims } from './claim-set.js';
import { claimSetOf, storeKeyOf, type KeyedTiers } from './claims-of-values.js';
import { invalidResult } from '../tiers/invalid-result.js';
import { identitiesOf } from './identities.js';
import { plannedStatedClaims } from './stated-claims.js';
import { identityText } from '../keys/store-keys.js';
import { hasPromise, keyOf, ONE_UNIT, settled, unitsOf, valuesOf, type TierValues } from './tier-values.js';

type Tiers<S> = readonly TierDefinition<S>[];

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
  build(plan: PlanFacts<S>, subject: S, cost: number): MaybePromise<PlannedClaims> {
    // The usual request. Values of functions take a third more CPU: steady-tiers in docs/benchmarks/tricks.md.
    if (plan.isStatic) {
      const identities = identitiesOf(plan, subject);
      if (isPromise(identities)) return identities.then((each) => plannedStatedClaims(plan, each, cost));
      return plannedStatedClaims(plan, identities, cost);
    }
    return this.resolve(plan.tiers, subject, {
      call: (tier) => valuesOf(tier, subject, cost),
      build(values, partition) {
        const { change } = plan;
        if (change) return Object.assign(change.claims({ tiers: plan.tiers, values, partition }), { plan });
        const { tiers, claims, labels } = claimSetOf(plan, values, partition);
        return { plan, tiers, claims, labels };
      },
    });
  }

  /** Claims of a cost, by key and limit alone: an operator may know no more of a subject. */
  buildUnits(tiers: Tiers<S>, subject: S, { cost = 1, change }: UnitOptions = {}): MaybePromise<ClaimSet> {
    return this.resolve(tiers, subject, {
      call: (tier) => unitsOf(tier, subject, cost),
      build: (values, partition) =>
        change?.shownClaims({ tiers, values, partition }) ?? claimSetOf(withOwnKeys(tiers), values, partition),
    });
  }

  /** The store keys of a subject, whatever the limits are. */
  storeKeys(tiers: Tiers<S>, subject: S): MaybePromise<readonly string[]> {
    return this.resolve(tiers, subject, {
      call: (tier) => ({ ...ONE_UNIT, key: keyOf(tier, subject), limit: 1 }),
      build: (values, partition) => tiers.map((tier, index) => storeKeyOf(tier, values[index]!.key, partition)),
    });
  }

  /** The claims of an identity, without a subject: as if each key function had returned it. */
  buildFor(tiers: Tiers<S>, identity: unknown, numbers: IdentityNumbers & UnitOptions): ClaimSet {
    const partition = this.#partitionOf(identity, numbers);
    const { change, cost, limit } = numbers;
    const values = tiers.map((tier, place): TierValues => {
      const isChanged = change?.isChanged(place, storeKeyOf(tier, identity, partition)) === true;
      // A changed claim needs no limit of a subject.
      if (!isChanged || typeof tier.limit !== 'function') return unitsFor(tier, identity, numbers);
      return { ...ONE_UNIT, key: identity, limit: limit ?? tier.policy.limit, cost };
    });
    return change?.shownClaims({ tiers, values, partition }) ?? claimSetOf(withOwnKeys(tiers), values, partition);
  }

  /** The store keys of an identity, whatever the limits are. @throws UsageError for a value that is no identity */
  storeKeysFor(tiers: Tiers<S>, identity: unknown, numbers: Pick<IdentityNumbers, 'partition'>): readonly string[] {
    const partition = this.#partitionOf(identity, numbers);
    return tiers.map((tier) => storeKeyOf(tier, identity, partition));
  }

  /** The text of the partition of an identity. @throws UsageError for a value that is no identity */
  #partitionOf(identity: unknown, { partition }: Pick<IdentityNumbers, 'partition'>): string | undefined {
    if (identityText(identity) === undefined && !this.#canFind(identity)) throw invalidIdentity('identity', identity);
    const tag = this.#partition && identityText(partition);
    if (this.#partition && tag === undefined) throw invalidIdentity('partition', partition);
    return tag;
  }

  /** The digest of a partition is not in that of an identity. */
  #canFind(identity: unknown): boolean {
    return identity instanceof IdentityDigest && !this.isPartitioned;
  }

  /** Calls the functions of the tier. It is synchronous unless one of them returns a promise. */
  resolve<T>(tiers: Tiers<S>, subject: S, { call, build }: Steps<S, T>): MaybePromise<T> {
    const partition = this.#partition && callUserFunction(this.#owner, 'partition', this.#partition, subject);
    const values = new Array<TierValues>(tiers.length);
    let isPending = partition instanceof Promise;
    for (let index = 0; index < tiers.length; index += 1) {
      const each = call(tiers[index]!);
      values[index] = each;
      isPending ||= hasPromise(each);
    }
    if (!isPending) return build(values, this.#checked(partition));
    return Promise.all([partition, ...values.map(settled)]).then(([tag, ...all]) => build(all, this.#checked(tag)));
  }

  /** The text of the identity of a partition. */
  #checked(partition: unknown): string | undefined {
    if (this.#partition === undefined) return undefined;
    const text = identityText(partition);
    if (text !== undefined) return text;
    throw invalidResult(this.#owner, 'partition', 'a non-empty text, a whole number or an identity', partition);
  }
}

/** How claims are made that operators ask for. */
interface UnitOptions {
  readonly cost?: number | undefined;
  /** Undefined where claims stay as they are. */
  readonly change?: TierChange | undefined;
}

export interface IdentityNumbers {
  readonly cost: number;
  /** For tiers whose limit is a function. */
  readonly limit?: number | undefined;
  /** The identity of the partition. */
  readonly partition?: unknown;
}

interface Steps<S, T> {
  /** Calls the functions of a tier. */
  readonly call: (tier: TierDefinition<S>) => TierValues;
  readonly build: (values: readonly TierValues[], partition: string | undefined) => T;
}

/** What a tier asks for an identity. @throws UsageError for a limit that is a function, without the limit of the identity */
function unitsFor<S>(tier: TierDefinition<S>, identity: unknown, { cost, limit }: IdentityNumbers): TierValues {
  const own = typeof tier.limit === 'function' ? limit : tier.policy.limit;
  if (own !== undefined) return { ...ONE_UNIT, key: identity, limit: own, cost };
  const remedy = 'pass the limit of this identity as limit, or name other tiers';
  throw new UsageError('USAGE_INVALID', `${tier.owner}: the limit is a function of the subject: ${remedy}`);
}

/** Tiers with the store keys of their own, whatever their plan is. */
function withOwnKeys<S>(tiers: Tiers<S>): KeyedTiers {
  return { tiers, keys: tiers.map(({ storeKeys }) => storeKeys) };
}

function invalidIdentity(name: string, value: unknown): UsageError {
  const rule = 'a non-empty text, a whole number or an identity such as byIp()({ ip })';
  return new UsageError('USAGE_INVALID', `limiter: ${name} must be ${rule}, got ${kindOf(value)}`);
}
