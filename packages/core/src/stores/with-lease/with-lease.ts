import type { Claim } from '../../model/claim.js';
import { isPromise } from '../../async/maybe-promise.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { chain } from '../../async/chain.js';
import { samePolicy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import { Asking } from '../asking.js';
import type { Answer, Store } from '../store.js';
import { LeasedKey, type Taken } from './leased-key.js';

/** Keys that units are fetched for at most: more than that cannot all be hot. */
const KEYS_MAX = 10_000;
/** Milliseconds between two looks at what has expired, at least and at most. */
const SWEEP_MIN = 10;
const SWEEP_MAX = 1_000;

/** A store that charges several units at once for keys that are asked for often, and spends them here. */
export interface LeasingStore extends Store {
  /** Gives back what is in hand, and what is on its way. */
  release(): Promise<void>;
}

export interface LeaseSurroundings {
  /** Where units are fetched: what fails there is no request that failed. @default the store */
  readonly source?: Store;
  /** Is told of keys that there is more of than the store has said, here or there. */
  readonly onMore?: (keys: readonly string[]) => void;
  /** What is answered to those who have waited for units that could not be fetched. @default the failure */
  readonly recover?: (error: unknown, group: readonly Claim[]) => MaybePromise<Answer>;
  /** Milliseconds that never go back. @default performance.now */
  readonly clock?: () => number;
}

/**
 * Spends units here that were charged before, so that a hot key asks its store once for many requests. What is admitted
 * was charged, so no more than the limit is admitted in the long run; in any window at most `max` units more for each
 * process.
 */
export function withLease(store: Store, surroundings: LeaseSurroundings = {}): LeasingStore {
  return new Leasing(store, surroundings);
}

/** A tier of a request that is served from here. */
interface Served {
  readonly claim: Claim;
  readonly leased: LeasedKey;
}

interface Charged extends Served {
  readonly taken: Taken;
}

class Leasing implements LeasingStore {
  readonly #store: Store;
  readonly #source: Store;
  readonly #onMore: (keys: readonly string[]) => void;
  readonly #recover: (error: unknown, group: readonly Claim[]) => MaybePromise<Answer>;
  readonly #clock: () => number;
  readonly #keys = new Map<string, LeasedKey>();
  readonly #fetches = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Infinity;

  constructor(store: Store, surroundings: LeaseSurroundings) {
    const { source = store, onMore = () => undefined, recover = fail, clock } = surroundings;
    this.#store = store;
    this.#source = source;
    this.#onMore = onMore;
    this.#recover = recover;
    this.#clock = clock ?? (() => performance.now());
  }

  consume(group: readonly Claim[]): MaybePromise<Answer> {
    if (!group.some(isLeased)) return this.#store.consume(group);
    const now = this.#clock();
    if (group.length === 1) return this.#consumeOne(group, now);
    const served: Charged[] = [];
    const hot: Served[] = [];
    for (const claim of group) {
      const leased = isLeased(claim) ? this.#leasedKey(claim) : undefined;
      if (leased === undefined) continue;
      const taken = leased.take(claim, now);
      if (taken) served.push({ claim, leased, taken });
      hot.push({ claim, leased });
    }
    const answer = served.length === 0 ? this.#store.consume(group) : this.#serve(group, served, now);
    // After the request itself, which they share a call with.
    for (const { claim, leased } of hot) this.#fetch(claim, leased, now);
    return answer;
  }

  /** A request of one tier has nobody to wait for. */
  #consumeOne(group: readonly Claim[], now: number): MaybePromise<Answer> {
    const claim = group[0]!;
    const leased = this.#leasedKey(claim);
    if (leased === undefined) return this.#store.consume(group);
    let answer: MaybePromise<Answer> | undefined = spend(leased, claim, now);
    if (answer === undefined) {
      const isWorthWaiting = leased.isWorthWaiting(claim);
      answer = isWorthWaiting ? leased.wait(new Asking(group, false)) : this.#store.consume(group);
    }
    // After the request itself, which it shares a call with.
    this.#fetch(claim, leased, now);
    return answer;
  }

  peek(group: readonly Claim[]): MaybePromise<Answer> {
    const now = this.#clock();
    const served: Served[] = [];
    for (const claim of group) {
      const leased = isLeased(claim) ? this.#keys.get(claim.key) : undefined;
      if (leased && samePolicy(leased.policy, claim.policy) && leased.holds(claim.cost, now)) {
        served.push({ claim, leased });
      }
    }
    const others = withoutServed(group, served);
    return chain(others.length === 0 ? ALL_SERVED : this.#store.peek(others), (answer) =>
      served.length === 0 ? answer : merge(group, served, answer, now),
    );
  }

  refund(receipts: readonly Receipt[]): MaybePromise<number> {
    return this.#store.refund(receipts);
  }

  reset(keys: readonly string[]): MaybePromise<void> {
    for (const key of keys) {
      this.#keys.get(key)?.forget();
      this.#keys.delete(key);
    }
    return this.#store.reset(keys);
  }

  inspect(key: string): MaybePromise<readonly string[]> {
    return this.#store.inspect(key);
  }

  async release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#wakesAt = Infinity;
    const receipts = [...this.#keys.values()].flatMap((leased) => leased.retire());
    this.#keys.clear();
    await Promise.all([this.#giveBack(receipts), ...this.#fetches]);
  }

  async close(): Promise<void> {
    await this.release();
    await this.#store.close();
  }

  /** Asks the store for the other tiers, if there are any, and puts back what was taken when they deny. */
  #serve(group: readonly Claim[], served: readonly Charged[], now: number): MaybePromise<Answer> {
    const others = withoutServed(group, served);
    if (others.length === 0) return this.#settle(group, served, ALL_SERVED, now);
    const failed = (error: unknown): never => {
      this.#putBack(served);
      throw error;
    };
    try {
      const answer = this.#store.consume(others);
      if (!isPromise(answer)) return this.#settle(group, served, answer, now);
      return Promise.resolve(answer).then((answered) => this.#settle(group, served, answered, now), failed);
    } catch (error) {
      return failed(error);
    }
  }

  #settle(group: readonly Claim[], served: readonly Charged[], answer: Answer, now: number): Answer {
    const receipts: Receipt[] = [];
    if (isAdmitted(answer)) {
      for (const { leased, taken } of served) {
        leased.spent(taken);
        receipts.push(taken.receipt);
      }
    } else this.#putBack(served);
    return merge(group, served, { ...answer, receipts: [...receipts, ...answer.receipts] }, now);
  }

  #putBack(served: readonly Charged[]): void {
    void this.#giveBack(served.flatMap(({ leased, taken }) => leased.putBack(taken, this.#clock())));
    this.#onMore(served.map(({ claim }) => claim.key));
  }

  #fetch(claim: Claim, leased: LeasedKey, now: number): void {
    const cost = leased.wanted(claim, now);
    if (cost === 0) return;
    leased.fetching(cost, now);
    // As many as there are, whether that is all or not.
    const fetch = this.#arrival({ ...claim, cost, countDenied: true }, leased);
    this.#fetches.add(fetch);
    void fetch.then(() => this.#fetches.delete(fetch));
  }

  async #arrival(claim: Claim, leased: LeasedKey): Promise<void> {
    try {
      const answer = await this.#source.consume([claim]);
      const back = leased.fetched(answer, claim);
      this.#sweepAt(leased.expires);
      this.#onMore([claim.key]);
      // What goes back is sent first: somebody who has waited may need it.
      const given = this.#giveBack(back);
      this.#serveWaiting(leased);
      await given;
    } catch (error) {
      leased.failed();
      // Whoever asks from now on asks the store, and is told.
      for (const asking of leased.release()) settle(asking, () => this.#recover(error, asking.group));
    }
  }

  #serveWaiting(leased: LeasedKey): void {
    const now = this.#clock();
    for (const asking of leased.release()) {
      // What has come may be less than what was asked for.
      settle(asking, () => spend(leased, asking.group[0]!, now) ?? this.#store.consume(asking.group));
    }
  }

  async #giveBack(receipts: readonly Receipt[]): Promise<void> {
    if (receipts.length === 0) return;
    try {
      await this.#store.refund(receipts);
    } catch {
      // The store was closed in the meantime: what it was not told of stays counted.
    }
    this.#onMore(receipts.map(({ key }) => key));
  }

  #leasedKey({ key, policy }: Claim): LeasedKey | undefined {
    const known = this.#keys.get(key);
    if (known && samePolicy(known.policy, policy)) return known;
    // Another limit holds from now on.
    if (known) void this.#giveBack(known.retire());
    else if (this.#keys.size >= KEYS_MAX && !this.#hasRoom()) return undefined;
    const leased = new LeasedKey(policy);
    this.#keys.set(key, leased);
    this.#sweepAt(this.#clock() + SWEEP_MAX);
    return leased;
  }

  /** Looks at the key that was looked at least recently, and drops it if it holds nothing. */
  #hasRoom(): boolean {
    const [key, leased] = this.#keys.entries().next().value!;
    this.#keys.delete(key);
    if (leased.isEmpty) return true;
    this.#keys.set(key, leased);
    return false;
  }

  /** Nothing is kept up by it: what is in hand when a process ends stays counted. */
  #sweepAt(time: number): void {
    const now = this.#clock();
    const pause = Math.min(SWEEP_MAX, Math.max(SWEEP_MIN, Math.ceil(time - now)));
    // What has expired just now does not put off what is due sooner.
    if (now + pause >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = now + pause;
    this.#timer = setTimeout(() => this.#sweep(), pause).unref();
  }

  #sweep(): void {
    this.#wakesAt = Infinity;
    const now = this.#clock();
    const receipts: Receipt[] = [];
    let next = now + SWEEP_MAX;
    for (const [key, leased] of this.#keys) {
      receipts.push(...leased.giveUp(now));
      if (leased.isIdle(now)) this.#keys.delete(key);
      else next = Math.min(next, leased.expires);
    }
    void this.#giveBack(receipts);
    if (this.#keys.size > 0) this.#sweepAt(next);
  }
}

/** Serves a request of one claim from here; undefined where there are too few units. */
function spend(leased: LeasedKey, claim: Claim, now: number): Answer | undefined {
  const receipt = leased.spend(claim, now);
  return receipt && { outcomes: [leased.outcome(claim, now)], receipts: [receipt], source: 'lease' };
}

function fail(error: unknown): never {
  throw error;
}

function settle(asking: Asking, answer: () => MaybePromise<Answer>): void {
  try {
    const answered = answer();
    if (!isPromise(answered)) asking.arrive(answered);
    else
      answered.then(
        (each) => asking.arrive(each),
        (error: unknown) => asking.fail(error),
      );
  } catch (error) {
    asking.fail(error);
  }
}

/** No other tier has to be asked for. */
const ALL_SERVED: Answer = { outcomes: [], receipts: [], source: 'lease' };

function isLeased({ lease, cost, shadow, countDenied }: Claim): boolean {
  return lease !== undefined && cost > 0 && cost <= lease.max && !shadow && !countDenied;
}

function isAdmitted({ fallback, outcomes }: Answer): boolean {
  return fallback !== 'deny' && outcomes.every(({ allowed, shadow }) => allowed || shadow);
}

function withoutServed(group: readonly Claim[], served: readonly Served[]): readonly Claim[] {
  return served.length === 0 ? group : group.filter((claim) => !served.some((each) => each.claim === claim));
}

/** The outcomes of the whole group, in its order. */
function merge(group: readonly Claim[], served: readonly Served[], answer: Answer, now: number): Answer {
  let next = 0;
  const outcomes = group.flatMap((claim) => {
    const own = served.find((each) => each.claim === claim);
    if (own) return own.leased.outcome(claim, now);
    // An answer from elsewhere than the store leaves tiers out.
    return answer.outcomes[next]?.tier === claim.tier ? answer.outcomes[next++]! : [];
  });
  return { ...answer, outcomes };
}
