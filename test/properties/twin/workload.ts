import { changedTerms, NO_TERMS, type Claim } from '../../../packages/core/src/model/claim.js';
import type { AlgorithmName } from '../../../packages/core/src/algorithms/named/algorithms.js';
import type { Policy } from '../../../packages/core/src/model/policy.js';
import { undoOf, type Receipt } from '../../../packages/core/src/model/receipt.js';
import { toReceipt } from '../../../packages/core/src/stores/answer.js';
import type { Ruling } from '../../../packages/core/src/model/ruling.js';
import { modelOf, type Model } from './model/model.js';
import { randomPolicies, type RandomPolicy } from './random-policy.js';
import type { Random } from './random.js';
import type { Group } from './redis-twin.js';

export interface Consume {
  readonly kind: 'consume';
  /** Microseconds. */
  readonly now: number;
  readonly groups: readonly Group[];
}

export interface Refund {
  readonly kind: 'refund';
  readonly now: number;
  readonly receipts: readonly Receipt[];
}

export interface Renew {
  readonly kind: 'renew';
  readonly now: number;
  readonly receipts: readonly Receipt[];
}

interface Key {
  readonly name: string;
  readonly policies: readonly RandomPolicy[];
  /** The policy of most claims at this time. */
  current: RandomPolicy;
  /** The remaining units of the last ruling. */
  remaining: number;
}

const YEAR = 365 * 86_400_000_000;

/** Random calls on a few keys and one clock, near the edges of their limits and windows. */
export class Workload {
  readonly models = new Map<Policy, Model>();
  readonly #random: Random;
  readonly #keys: Key[];
  /** Microseconds of the main window. */
  readonly #scale: number;
  readonly #maxStepBack: number;
  #now: number;
  #latest: number;
  /** The durations in recent rulings. */
  #durations: number[] = [];
  #receipts: Receipt[] = [];
  /** Of units that are held, or were. */
  #permits: Receipt[] = [];
  #permitNumber = 0;

  constructor(name: string, algorithms: readonly AlgorithmName[], random: Random) {
    this.#random = random;
    const scale = random.pick([
      1,
      random.magnitude(1, 1000),
      1000,
      60_000,
      3_600_000,
      random.magnitude(1, 400 * 86_400_000),
    ]);
    this.#scale = scale * 1000;
    // After the year 2100, at a random distance from all edges.
    this.#now = 130 * YEAR + Math.floor(random.fraction() * 30 * YEAR);
    this.#latest = this.#now;
    this.#keys = [];
    for (let index = random.integer(1, 5); index >= 0; index -= 1) {
      const algorithm = this.#keys.length === 0 ? algorithms[0]! : random.pick(algorithms);
      // Many keys of one tier are the most common case.
      const shared = random.chance(0.3) ? this.#keys.at(-1)?.policies : undefined;
      const policies = shared ?? randomPolicies(algorithm, random, scale, random.integer(1, 4));
      for (const { options, policy, moves } of policies) {
        this.models.set(policy, modelOf(options, { moves }));
        if (policy.settling) this.models.set(policy.settling, modelOf(options, { settles: true, moves }));
      }
      const current = policies[0]!;
      this.#keys.push({ name: `${name}:${index}`, policies, current, remaining: current.policy.capacity });
    }
    const maxSteps = this.#keys.flatMap(({ policies }) => policies.map(({ policy }) => maxStepBackOf(policy)));
    this.#maxStepBack = Math.min(3 * this.#scale, 3 * YEAR, ...maxSteps);
  }

  /** True when the clock comes close to the largest exact integer. */
  get isOver(): boolean {
    return this.#latest >= 250 * YEAR;
  }

  modelsOf(key: string): Model[] {
    const { policies } = this.#keys.find(({ name }) => name === key)!;
    return policies.map(({ policy }) => this.models.get(policy)!);
  }

  next(): Consume | Refund | Renew {
    const random = this.#random;
    this.#advance();
    if (this.#permits.length > 0 && random.chance(0.1)) {
      const receipts = this.#permits.filter(() => random.chance(0.3));
      if (receipts.length > 0) return { kind: 'renew', now: this.#now, receipts };
    }
    if (this.#receipts.length > 0 && random.chance(0.15)) {
      const receipts = Array.from({ length: Math.min(this.#receipts.length, random.integer(1, 4)) }, () =>
        this.#takeReceipt(),
      );
      return { kind: 'refund', now: this.#now, receipts };
    }
    for (const key of this.#keys) if (random.chance(0.03)) key.current = random.pick(key.policies);
    return { kind: 'consume', now: this.#now, groups: this.#groups() };
  }

  /** Records rulings, so that the next calls come close to their edges. */
  record({ groups, now }: Consume, rulings: readonly (readonly Ruling[])[]): void {
    for (const [index, { claims }] of groups.entries()) {
      for (const [place, claim] of claims.entries()) {
        const ruling = rulings[index]![place]!;
        const key = this.#keys.find(({ name }) => name === claim.key)!;
        key.remaining = ruling.remaining;
        const { tick } = claim.policy;
        const durations = [ruling.retryAfter, ruling.replenishAfter, ruling.resetAfter, ruling.delay];
        this.#durations.push(...durations.filter((each) => each > 0).map((each) => each * tick));
        if (ruling.charged === 0) continue;
        const receipt = toReceipt(claim, ruling, now);
        this.#receipts.push(receipt);
        if (receipt.name !== undefined) this.#permits.push(receipt);
      }
    }
    this.#durations = this.#durations.slice(-24);
    this.#receipts = this.#receipts.slice(-12);
    this.#permits = this.#permits.slice(-12);
  }

  /** Groups of any claims, and the uniform groups that have scripts of their own. */
  #groups(): Group[] {
    const random = this.#random;
    const kind = random.integer(0, 9);
    if (kind < 3) return this.#singleUnits();
    if (kind < 5) return this.#uniformGroups();
    return Array.from({ length: random.integer(1, 14) }, () => this.#group());
  }

  /** One unit each of keys that share a policy, or any costs. Some keys occur several times. */
  #singleUnits(): Group[] {
    const random = this.#random;
    const hasCosts = random.chance(0.4);
    const { current } = random.pick(this.#keys);
    const keys = this.#keys.filter((key) => key.policies.includes(current));
    if (random.chance(0.5)) keys.push(...Array.from({ length: random.integer(1, 12) }, () => random.pick(keys)));
    return keys.map((key) => {
      const claim = { ...this.#claim(key), policy: current.policy, terms: NO_TERMS };
      claim.cost = hasCosts ? Math.max(1, claim.cost) : 1;
      return { claims: [claim], peek: false };
    });
  }

  /** One unit each of the same enforced tiers, or any costs, as one limiter sends them. */
  #uniformGroups(): Group[] {
    const random = this.#random;
    const hasCosts = random.chance(0.4);
    const places = this.#keys.filter(() => random.chance(0.6)).slice(0, 3);
    if (places.length === 0) places.push(random.pick(this.#keys));
    return Array.from({ length: random.integer(1, 10) }, () => {
      const claims = places.map((place, index) => {
        // Another key at a place has the policy of that place, and no place of its own.
        const others = this.#keys.filter((key) => key.policies === place.policies && !places.includes(key));
        const key = random.chance(0.6) ? place : random.pick([place, ...(index === 0 ? others : [])]);
        const claim = this.#claim(key);
        return {
          ...claim,
          cost: hasCosts ? Math.max(1, claim.cost) : 1,
          policy: place.current.policy,
          terms: NO_TERMS,
          shadow: false,
        };
      });
      return { claims, peek: false };
    });
  }

  #group(): Group {
    const random = this.#random;
    const keys = this.#keys.filter(() => random.chance(0.5)).slice(0, 4);
    if (keys.length === 0) keys.push(random.pick(this.#keys));
    return { claims: keys.map((key) => this.#claim(key)), peek: random.chance(0.06) };
  }

  #claim(key: Key): Claim {
    const random = this.#random;
    const { policy: own } = random.chance(0.97) ? key.current : random.pick(key.policies);
    const settles = own.settling !== undefined && random.chance(0.2);
    const policy = settles ? own.settling : own;
    const cost = this.#cost(policy.capacity, key.remaining);
    return {
      tier: key.name,
      key: key.name,
      policy,
      cost,
      shadow: random.chance(0.12),
      terms: changedTerms(undefined, {
        charge:
          settles || (mayChargeAll(policy, cost) && random.chance(0.12))
            ? 'all'
            : random.chance(0.05)
              ? 'denied'
              : 'admitted',
      }),
      record: undefined,
      name: policy.algorithm.endsWithRequest ? this.#permitName() : undefined,
    };
  }

  #permitName(): string {
    this.#permitNumber += 1;
    return `p${this.#permitNumber}`;
  }

  #cost(capacity: number, remaining: number): number {
    const random = this.#random;
    const kind = random.integer(0, 15);
    if (kind < 6) return 1;
    if (kind === 6) return 0;
    if (kind === 7) return capacity + random.integer(0, 2);
    if (kind < 10) return random.magnitude(1, capacity);
    if (kind === 10) return Math.ceil(capacity / random.integer(1, 4));
    if (kind === 11) return random.integer(1, 3);
    return Math.max(0, remaining + random.pick([-1, 0, 0, 1]));
  }

  #advance(): void {
    const random = this.#random;
    const kind = random.integer(0, 99);
    let step = 0;
    if (kind < 20) step = random.pick([0, 0, 1, random.integer(1, 2000)]);
    else if (kind < 60 && this.#durations.length > 0)
      step = random.pick(this.#durations) + random.pick([-1000, -1, -1, 0, 0, 0, 1, 1000]);
    else if (kind < 90) step = Math.floor(this.#scale * random.fraction() * random.pick([0.001, 0.01, 0.1, 1, 2]));
    else if (kind < 92) step = this.#scale * random.integer(2, 50);
    else
      step = -Math.floor(
        random.fraction() * random.pick([1000, this.#scale / 1000, this.#scale / 10, this.#scale, this.#maxStepBack]),
      );
    this.#now = Math.max(this.#latest - this.#maxStepBack, this.#now + step);
    this.#latest = Math.max(this.#latest, this.#now);
  }

  #takeReceipt(): Receipt {
    const random = this.#random;
    // The newest receipt is refunded more often, because no later request waits behind it.
    const index = random.chance(0.4) ? this.#receipts.length - 1 : random.integer(0, this.#receipts.length - 1);
    const receipt = this.#receipts[index]!;
    this.#receipts = this.#receipts.filter((each) => each !== receipt || random.chance(0.1));
    if (random.chance(0.4)) return undoOf([receipt])[0]!;
    const units = random.chance(0.7) ? receipt.units : random.integer(1, receipt.units);
    return { ...receipt, units };
  }
}

/** Units that are held, and strikes, are for admitted requests or for denied ones. A pause has a longest duration. */
function mayChargeAll({ algorithm, capacity }: Policy, cost: number): boolean {
  if (algorithm.name === 'pause') return cost <= capacity;
  return algorithm.name !== 'concurrency' && algorithm.name !== 'backoff';
}

/** How far a clock may step back. The state holds the low bits of a number, and stands for the nearest such number. */
function maxStepBackOf(policy: Policy): number {
  type Numbers = Partial<Record<'grain' | 'slot' | 'ring' | 'logTick', number>>;
  const { tick, grain, slot, ring, logTick = Infinity } = policy as Policy & Numbers;
  // A window spans at most half of the numbers that the bits can distinguish.
  if (grain !== undefined) return (2 ** 19 - 2) * grain;
  if (slot === undefined) return Infinity;
  return Math.min((ring === 2 ? 4000 : 2 ** 30) * slot * tick, 2 ** 38 * logTick);
}
