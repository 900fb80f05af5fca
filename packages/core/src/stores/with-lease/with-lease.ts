// with-lease/ charges units of hot keys ahead, so that most checks need no round trip. Claims for a remote store enter.
// It imports what stores share, and no other store.
import { chain } from '../../async/deferred.js';
import type { Deferred } from '../../async/deferred.js';
import type { MaybePromise } from '../../async/maybe-promise.js';
import { channels } from '../../events/channels.js';
import type { LeaseEvent } from '../../events/events.js';
import type { Claim } from '../../model/claim.js';
import { isAdmitted } from '../../model/outcome.js';
import { samePolicy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Charge, Layer, Passage, Recover } from '../layer.js';
import type { Store } from '../store.js';
import type { Answer } from '../../model/answer.js';
import { Alarm } from '../alarm.js';
import { HotKeys } from './hot-keys.js';
import { LeasedKey, type Refill, type Reservation } from './leased-key.js';

/** More keys cannot all be hot. */
const MAX_LEASED_KEYS = 10_000;

/** What is known of keys that were denied. */
interface Denials {
  forget(keys: readonly string[]): void;
}

export interface LeaseContext {
  /** The layers below, and the store. */
  readonly below: Pick<Store, 'peek' | 'refund'> & { readonly consume: Charge };
  /** The answer to a request that waits for units when they could not be charged. */
  readonly recover: Recover;
  /** Where units are charged ahead. A failure there is not the failure of a request. */
  readonly fetchFrom: Pick<Store, 'consume'>;
  /** Is cleared of keys that get units. */
  readonly denials: Denials;
  /** Monotonic milliseconds. @default performance.now */
  readonly clock?: () => number;
  /** @default those with about 128 requests a second */
  readonly hotKeys?: HotKeys | undefined;
}

/** A tier of a request, and the lease that serves it. */
interface ServedTier {
  readonly claim: Claim;
  readonly leased: LeasedKey;
}

interface ReservedTier extends ServedTier {
  readonly reservation: Reservation;
}

/**
 * Serves many requests to a hot key by one call to the store, which charges their units ahead. Every admitted request
 * was charged, so the long-run limit holds; in any one window each process may admit at most `lease.units` more.
 */
export class LeaseLayer implements Layer {
  /** Keys that may have a lease. */
  readonly most = MAX_LEASED_KEYS;
  readonly #store: LeaseContext['below'];
  readonly #recover: Recover;
  readonly #fetchFrom: LeaseContext['fetchFrom'];
  readonly #denials: Denials;
  readonly #clock: () => number;
  readonly #hotKeys: HotKeys;
  readonly #keys = new Map<string, LeasedKey>();
  readonly #refills = new Set<Promise<void>>();
  readonly #alarm: Alarm;

  constructor(context: LeaseContext) {
    const { fetchFrom, denials, clock = () => performance.now(), hotKeys = new HotKeys() } = context;
    this.#store = context.below;
    this.#recover = context.recover;
    this.#fetchFrom = fetchFrom;
    this.#denials = denials;
    this.#clock = clock;
    this.#hotKeys = hotKeys;
    this.#alarm = new Alarm(clock, () => this.#sweep());
  }

  /** Keys with a lease. */
  get size(): number {
    return this.#keys.size;
  }

  before(passage: Passage): MaybePromise<Answer> | undefined {
    const { group, isPeek } = passage;
    if (isPeek) return this.#peek(group);
    const candidates = this.#candidatesIn(group);
    if (candidates === undefined) return undefined;
    return group.length === 1 ? this.#consumeOne(passage) : this.#consumeTogether(passage, candidates);
  }

  /** The claims of a group that a lease may serve, which is rarely any. It counts a part of the requests, to find hot keys. */
  #candidatesIn(group: readonly Claim[]): readonly Claim[] | undefined {
    let candidates: Claim[] | undefined;
    for (let place = 0; place < group.length; place += 1) {
      const claim = group[place]!;
      if (isLeasable(claim) && this.#isHot(claim)) (candidates ??= []).push(claim);
    }
    return candidates;
  }

  /** Most requests need no more of a lease than this. */
  #isHot({ key, terms }: Claim): boolean {
    if (this.#keys.size > 0 && this.#keys.has(key)) return true;
    return this.#hotKeys.samples() && this.#hotKeys.note(key, this.#clock(), terms!.lease!.duration);
  }

  #consumeOne({ group, facts }: Passage): MaybePromise<Answer> {
    const claim = group[0]!;
    const now = this.#clock();
    const leased = this.#leasedKey(claim);
    if (leased === undefined) return this.#store.consume(group, facts);
    const answer = spend(leased, claim, now) ?? leased.joinRefill(claim, facts) ?? this.#store.consume(group, facts);
    // After the request, so that both go out in one batch.
    this.#refill({ claim, leased }, now);
    return answer;
  }

  #consumeTogether(passage: Passage, candidates: readonly Claim[]): MaybePromise<Answer> {
    const now = this.#clock();
    const leasable: ServedTier[] = [];
    const reserved: ReservedTier[] = [];
    for (const claim of candidates) {
      const leased = this.#leasedKey(claim);
      if (leased === undefined) continue;
      leasable.push({ claim, leased });
      const reservation = leased.reserve(claim, now);
      if (reservation) reserved.push({ claim, leased, reservation });
    }
    const answer =
      reserved.length === 0 ? this.#store.consume(passage.group, passage.facts) : this.#serve(passage, reserved, now);
    for (const tier of leasable) this.#refill(tier, now);
    return answer;
  }

  #peek(group: readonly Claim[]): MaybePromise<Answer> | undefined {
    const now = this.#clock();
    const served: ServedTier[] = [];
    for (const claim of group) {
      const leased = isLeasable(claim) ? this.#keys.get(claim.key) : undefined;
      if (leased && samePolicy(leased.policy, claim.policy) && leased.holds(claim.cost, now)) {
        served.push({ claim, leased });
      }
    }
    if (served.length === 0) return undefined;
    const others = withoutServed(group, served);
    const answer = others.length === 0 ? ALL_SERVED : this.#store.peek(others);
    return chain(answer, (each) => withServed(group, served, each, now));
  }

  forget(keys: readonly string[], below: () => MaybePromise<void>): MaybePromise<void> {
    for (const key of keys) {
      this.#keys.get(key)?.forget();
      this.#keys.delete(key);
    }
    return below();
  }

  /** Gives back the units of all leases, also those in flight. */
  async release(): Promise<void> {
    this.#alarm.stop();
    const receipts = [...this.#keys.values()].flatMap((leased) => leased.retire());
    this.#keys.clear();
    await Promise.all([this.#giveBack(receipts), ...this.#refills]);
  }

  close(): Promise<void> {
    return this.release();
  }

  /** Lets the store decide the other tiers, if there are any. Releases the reservations when they deny. */
  #serve({ group, facts }: Passage, reserved: readonly ReservedTier[], now: number): MaybePromise<Answer> {
    const others = withoutServed(group, reserved);
    const onAnswer = (answer: Answer): Answer => {
      const areAdmitted = admits(answer);
      if (areAdmitted) for (const { leased, reservation } of reserved) leased.confirm(reservation);
      else this.#releaseAll(reserved);
      const receipts = areAdmitted ? reserved.map(({ reservation }) => reservation.receipt) : [];
      report('spent', receipts);
      return withServed(group, reserved, { ...answer, receipts: [...receipts, ...answer.receipts] }, now);
    };
    const onError = (error: unknown): never => {
      this.#releaseAll(reserved);
      throw error;
    };
    try {
      return chain(others.length === 0 ? ALL_SERVED : this.#store.consume(others, facts), onAnswer, onError);
    } catch (error) {
      return onError(error);
    }
  }

  #releaseAll(reserved: readonly ReservedTier[]): void {
    const now = this.#clock();
    void this.#giveBack(reserved.flatMap(({ leased, reservation }) => leased.release(reservation, now)));
    this.#denials.forget(reserved.map(({ claim }) => claim.key));
  }

  /** Charges units ahead if the lease needs them. */
  #refill({ claim, leased }: ServedTier, now: number): void {
    const refill = leased.startRefill(claim, now);
    if (refill === undefined) return;
    const fetching = this.#fetch(refill, { claim, leased });
    this.#refills.add(fetching);
    void fetching.then(() => this.#refills.delete(fetching));
  }

  async #fetch(refill: Refill, { claim, leased }: ServedTier): Promise<void> {
    try {
      const answer = await this.#charge(claim, refill.units);
      const receipts = leased.receive(refill, answer, claim.terms!.lease!);
      report('granted', answer.receipts);
      this.#alarm.setFor(leased.expiresAt);
      // A refill that brought nothing leaves every denial true.
      if (answer.receipts.length > 0) this.#denials.forget([claim.key]);
      // Sent before the waiting requests, which may need these units.
      const givenBack = this.#giveBack(receipts);
      this.#serveWaiting(refill, leased);
      await givenBack;
    } catch (error) {
      leased.abandon(refill, claim.terms!.lease!);
      for (const each of refill.waiting) settle(each.answer, () => this.#recover(error, [each.claim]));
    }
  }

  /** Charges so many units, or as many whole ones as there are. A part of a unit stays, so that it becomes a unit. */
  async #charge(claim: Claim, units: number): Promise<Answer> {
    const answer = await this.#fetchFrom.consume([{ ...claim, cost: units }]);
    const [outcome] = answer.outcomes;
    if (outcome === undefined || outcome.allowed || outcome.remaining === 0) return answer;
    return this.#fetchFrom.consume([{ ...claim, cost: outcome.remaining }]);
  }

  /** A refill may bring fewer units than it requested: then a request goes to the store. */
  #serveWaiting({ waiting }: Refill, leased: LeasedKey): void {
    const now = this.#clock();
    for (const { claim, facts, answer } of waiting) {
      settle(answer, () => spend(leased, claim, now) ?? this.#store.consume([claim], facts));
    }
  }

  async #giveBack(receipts: readonly Receipt[]): Promise<void> {
    if (receipts.length === 0) return;
    report('returned', receipts);
    try {
      await this.#store.refund(receipts);
    } catch {
      // The store is closed, and its units stay charged.
    }
    this.#denials.forget(receipts.map(({ key }) => key));
  }

  /**
   * The leased key of a hot key. It is undefined if the process has no lease to give, and then the store decides the
   * requests.
   */
  #leasedKey({ key, policy }: Claim): LeasedKey | undefined {
    const known = this.#keys.get(key);
    if (known && samePolicy(known.policy, policy)) return known;
    // The limit has changed.
    if (known) void this.#giveBack(known.retire());
    else if (this.#keys.size >= MAX_LEASED_KEYS && !this.#makeRoom()) return undefined;
    const leased = new LeasedKey(policy);
    this.#keys.set(key, leased);
    this.#alarm.setFor(Infinity);
    return leased;
  }

  /** Drops the oldest key if it is empty, else moves it to the end. */
  #makeRoom(): boolean {
    const [key, leased] = this.#keys.entries().next().value!;
    this.#keys.delete(key);
    if (leased.isEmpty) return true;
    this.#keys.set(key, leased);
    return false;
  }

  /** Gives expired units back and drops idle keys. */
  #sweep(): void {
    const now = this.#clock();
    const receipts: Receipt[] = [];
    let next = Infinity;
    for (const [key, leased] of this.#keys) {
      receipts.push(...leased.takeExpired(now));
      if (leased.isIdle(now)) this.#keys.delete(key);
      else next = Math.min(next, leased.expiresAt);
    }
    void this.#giveBack(receipts);
    if (this.#keys.size > 0) this.#alarm.setFor(next);
  }
}

/** Serves a request of one tier from a lease. Undefined where it has too few units. */
function spend(leased: LeasedKey, claim: Claim, now: number): Answer | undefined {
  const receipt = leased.spend(claim, now);
  if (receipt) report('spent', [receipt]);
  return receipt && { outcomes: [leased.outcome(claim, now)], receipts: [receipt], source: 'lease' };
}

function report(state: LeaseEvent['state'], receipts: readonly Receipt[]): void {
  if (!channels.lease.hasSubscribers) return;
  for (const { tier, units } of receipts) channels.lease.publish({ tier, units, state });
}

function settle(pending: Deferred<Answer>, decide: () => MaybePromise<Answer>): void {
  try {
    pending.resolve(decide());
  } catch (error) {
    pending.reject(error);
  }
}

/** The answer of the store when leases serve every tier. */
const ALL_SERVED: Answer = { outcomes: [], receipts: [], source: 'lease' };

function isLeasable({ terms, cost, shadow }: Claim): boolean {
  const lease = terms?.lease;
  return lease !== undefined && cost > 0 && cost <= lease.units && !shadow && terms!.charge === 'admitted';
}

function admits({ fallback, outcomes }: Answer): boolean {
  return fallback !== 'deny' && isAdmitted(outcomes);
}

function withoutServed(group: readonly Claim[], served: readonly ServedTier[]): readonly Claim[] {
  return group.filter((claim) => !served.some((each) => each.claim === claim));
}

/** Adds the outcomes of served tiers to an answer, in the order of the group. */
function withServed(group: readonly Claim[], served: readonly ServedTier[], answer: Answer, now: number): Answer {
  let next = 0;
  const outcomes = group.flatMap((claim) => {
    const own = served.find((each) => each.claim === claim);
    if (own) return own.leased.outcome(claim, now);
    // A local answer leaves tiers out.
    return answer.outcomes[next]?.tier === claim.tier ? answer.outcomes[next++]! : [];
  });
  return { ...answer, outcomes };
}
