import { Deferred } from '../../async/deferred.js';
import type { Claim, Lease } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Answer } from '../../model/answer.js';
import type { RequestFacts } from '../layer.js';
import { Demand } from './demand.js';
import { spendGrant, type Grant } from './grant.js';

/** The clocks of two machines differ by less than a thousandth. */
const DRIFT = 0.999;

/** Units taken for a request that its other tiers may still deny. */
export interface Reservation {
  readonly receipt: Receipt;
  readonly expiresAt: number;
}

/** Units in flight, and the requests that wait for them. */
export interface Refill {
  readonly units: number;
  readonly sentAt: number;
  /** Units that the waiting requests cost. */
  claimed: number;
  readonly waiting: {
    readonly claim: Claim;
    readonly facts: RequestFacts | undefined;
    readonly answer: Deferred<Answer>;
  }[];
}

/**
 * A hot key: this process charges its units ahead and spends them by itself. A refill brings units, which lie in grants. A
 * request reserves some of them, and then spends them (`confirm`) or puts them back (`release`). Grants expire, and their
 * units go back to the store. Times are monotonic milliseconds.
 */
export class LeasedKey {
  readonly policy: Policy;
  readonly #demand = new Demand();
  #grants: Grant[] = [];
  /** Units of all grants. */
  #units = 0;
  #reserved = 0;
  #refill: Refill | undefined;
  /** The latest outcome from the store, and when its durations began. */
  #latest: { readonly outcome: Outcome; readonly sentAt: number } | undefined;
  /** Set when nothing is spent from here any more. Units that still arrive go back to the store if `retired`. */
  #ended: 'retired' | 'forgotten' | undefined;

  constructor(policy: Policy) {
    this.policy = policy;
  }

  /** When the first grant expires. */
  get expiresAt(): number {
    return this.#grants.reduce((first, { expiresAt }) => Math.min(first, expiresAt), Infinity);
  }

  /** True when it holds no units, and expects none. */
  get isEmpty(): boolean {
    return this.#grants.length === 0 && this.#reserved === 0 && this.#refill === undefined;
  }

  isIdle(now: number): boolean {
    return this.isEmpty && this.#demand.isIdle(now);
  }

  /** True when `spend` would serve the cost. */
  holds(cost: number, now: number): boolean {
    return this.#findGrant(cost, now) !== undefined;
  }

  /** Spends units on a request of one tier. It returns undefined if there are too few units. */
  spend(claim: Claim, now: number): Receipt | undefined {
    const reservation = this.reserve(claim, now);
    if (reservation) this.confirm(reservation);
    return reservation?.receipt;
  }

  /** Takes units for a request of several tiers. Undefined where there are too few. Ends in `confirm` or `release`. */
  reserve({ cost, terms }: Claim, now: number): Reservation | undefined {
    this.#demand.noteRequest(terms!.lease!, now);
    const grant = this.#findGrant(cost, now);
    if (grant === undefined) {
      this.#demand.noteShortage(cost);
      return undefined;
    }
    const receipt = spendGrant(grant, cost);
    this.#units -= cost;
    this.#reserved += cost;
    if (grant.units === 0) this.#grants = this.#grants.filter((each) => each !== grant);
    return { receipt, expiresAt: grant.expiresAt };
  }

  /** The other tiers admitted the request. */
  confirm({ receipt }: Reservation): void {
    this.#reserved -= receipt.units;
  }

  /** Another tier denied the request. @returns receipts to refund */
  release({ receipt, expiresAt }: Reservation, now: number): readonly Receipt[] {
    this.#reserved -= receipt.units;
    if (this.#ended === 'forgotten') return [];
    if (this.#ended === 'retired' || expiresAt <= now) return [receipt];
    this.#grants.unshift({ receipt, units: receipt.units, expiresAt });
    this.#units += receipt.units;
    return [];
  }

  /** Begins a refill if fewer than half of the units that are worth having are left. */
  startRefill({ cost, terms, policy }: Claim, now: number): Refill | undefined {
    const size = this.#demand.refillSize;
    if (this.#refill || this.#ended || size === 0) return undefined;
    if (this.#units * 2 > size && this.holds(cost, now)) return undefined;
    const units = Math.min(size, terms!.lease!.units - this.#units - this.#reserved, policy.capacity);
    if (units < cost) return undefined;
    this.#refill = { units, sentAt: now, claimed: 0, waiting: [] };
    return this.#refill;
  }

  /** Waits for the refill in flight. Undefined if it brings too few units: then the store answers sooner. */
  joinRefill(claim: Claim, facts: RequestFacts | undefined): Deferred<Answer> | undefined {
    const refill = this.#refill;
    if (refill === undefined || refill.units - refill.claimed < claim.cost) return undefined;
    const answer = new Deferred<Answer>();
    refill.claimed += claim.cost;
    refill.waiting.push({ claim, facts, answer });
    return answer;
  }

  /** Takes the units of a refill, perhaps fewer than it requested. @returns receipts to refund */
  receive(
    { units: wanted, sentAt }: Refill,
    { outcomes: [outcome], receipts }: Answer,
    lease: Lease,
  ): readonly Receipt[] {
    this.#refill = undefined;
    if (this.#ended) return this.#ended === 'retired' ? receipts : [];
    const [receipt] = receipts;
    const granted = receipt?.units ?? 0;
    this.#demand.noteRefill({ granted, wanted, sentAt }, lease);
    if (outcome === undefined || receipt === undefined) return [];
    // When a fixed window ends, its units end too.
    const windowEnd = this.policy.algorithm.refill === 'together' ? (outcome.resetAfter - 1) * DRIFT : Infinity;
    this.#grants.push({ receipt, units: granted, expiresAt: sentAt + Math.min(lease.duration, windowEnd) });
    this.#units += granted;
    this.#latest = { outcome, sentAt };
    return [];
  }

  /** The refill failed. Requests go to the store until another one is worth trying. */
  abandon({ units: wanted, sentAt }: Refill, lease: Lease): void {
    this.#refill = undefined;
    this.#demand.noteRefill({ granted: 0, wanted, sentAt }, lease);
  }

  /** Drops the grants that have expired. @returns receipts to refund */
  takeExpired(now: number): Receipt[] {
    const expired = this.#grants.filter(({ expiresAt }) => expiresAt <= now);
    if (expired.length === 0) return [];
    this.#grants = this.#grants.filter(({ expiresAt }) => expiresAt > now);
    const unused = expired.reduce((sum, { units }) => sum + units, 0);
    this.#units -= unused;
    this.#demand.noteUnused(unused);
    return expired.map(({ receipt, units }) => ({ ...receipt, units }));
  }

  /** Stops spending. @returns receipts to refund */
  retire(): Receipt[] {
    this.#ended = 'retired';
    return this.takeExpired(Infinity);
  }

  /** Stops spending. Nothing goes back, because the store has forgotten the key. */
  forget(): void {
    this.retire();
    this.#ended = 'forgotten';
  }

  /** What a client learns about a request that is served from here. */
  outcome({ tier }: Claim, now: number): Outcome {
    const { outcome, sentAt } = this.#latest!;
    const { limit, remaining, replenishAfter, resetAfter } = outcome;
    const elapsed = now - sentAt;
    return {
      tier,
      allowed: true,
      never: false,
      shadow: false,
      limit,
      remaining: Math.min(limit, remaining + this.#units),
      retryAfter: 0,
      replenishAfter: Math.max(0, Math.ceil(replenishAfter - elapsed)),
      resetAfter: Math.max(0, Math.ceil(resetAfter - elapsed)),
      delay: 0,
    };
  }

  /** A grant that holds the whole cost, because a request has one receipt of each tier. */
  #findGrant(cost: number, now: number): Grant | undefined {
    for (const grant of this.#grants) if (grant.units >= cost && grant.expiresAt > now) return grant;
    return undefined;
  }
}
