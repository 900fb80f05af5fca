import type { Claim } from '../../model/claim.js';
import type { Outcome } from '../../model/outcome.js';
import type { Policy } from '../../model/policy.js';
import type { Receipt } from '../../model/receipt.js';
import type { Asking } from '../asking.js';
import type { Answer } from '../store.js';

/** Clocks of two machines go differently fast, by less than this. */
const DRIFT = 0.999;

/** Units that were charged at once, to be spent here one after the other: the first of them first. */
interface Parcel {
  readonly receipt: Receipt;
  /** Those that are left. */
  units: number;
  /** They are not spent any more from then on. */
  readonly until: number;
}

/** What was taken for one request, until it is known whether the request goes on. */
export interface Taken {
  readonly receipt: Receipt;
  readonly until: number;
}

/**
 * The units of a key that this process has in hand, and how many are worth fetching. Times are milliseconds of a clock
 * that never goes back.
 */
export class LeasedKey {
  readonly policy: Policy;
  #parcels: Parcel[] = [];
  #units = 0;
  /** Units of requests that wait for what their other tiers say. */
  #lent = 0;
  /** What is fetched the next time: none for a key that is asked for once in a while. */
  #size = 0;
  #lastUse = -Infinity;
  #horizon = 0;
  /** Units that are on their way. */
  #coming = 0;
  /** Those of them that somebody waits for. */
  #awaited = 0;
  #waiting: Asking[] = [];
  #fetchedAt = -Infinity;
  #askedAt = -Infinity;
  /** What the store has said of the key when units were fetched last. */
  #outcome: Outcome | undefined;
  /** What becomes of units that come when nothing is spent from here any more. */
  #ended: 'retired' | 'forgotten' | undefined;

  constructor(policy: Policy) {
    this.policy = policy;
  }

  /** When the first of its units expire. */
  get expires(): number {
    return this.#parcels.reduce((first, { until }) => Math.min(first, until), Infinity);
  }

  /** Nothing is in hand, and nothing is about to be. */
  get isEmpty(): boolean {
    return this.#parcels.length === 0 && this.#lent === 0 && this.#coming === 0;
  }

  /** It is empty, and nobody has asked for a while. */
  isIdle(now: number): boolean {
    return this.isEmpty && now - this.#lastUse > this.#horizon;
  }

  /** True when a request of this cost would be served from here. */
  holds(cost: number, now: number): boolean {
    return this.#parcelOf(cost, now) !== undefined;
  }

  /** Takes units for a request; none where there are too few. They are to be `spent` or `putBack`. */
  take(claim: Claim, now: number): Taken | undefined {
    const parcel = this.#draw(claim, now);
    if (parcel === undefined) return undefined;
    this.#lent += claim.cost;
    return { receipt: firstOf(parcel, claim.cost), until: parcel.until };
  }

  /** Spends units on a request that has nobody to wait for; none where there are too few. */
  spend(claim: Claim, now: number): Receipt | undefined {
    const parcel = this.#draw(claim, now);
    return parcel && firstOf(parcel, claim.cost);
  }

  /** The request goes on. */
  spent({ receipt }: Taken): void {
    this.#lent -= receipt.units;
  }

  /** The request was denied elsewhere. @returns what has to go to the store */
  putBack({ receipt, until }: Taken, now: number): Receipt[] {
    this.#lent -= receipt.units;
    if (this.#ended === 'forgotten') return [];
    if (this.#ended === 'retired' || until <= now) return [receipt];
    this.#parcels.unshift({ receipt, units: receipt.units, until });
    this.#units += receipt.units;
    return [];
  }

  /** How many units to fetch now; 0 while there are enough, or some are on their way. */
  wanted({ cost, lease, policy }: Claim, now: number): number {
    if (this.#coming > 0 || this.#ended || this.#size === 0) return 0;
    if (this.#units * 2 > this.#size && this.holds(cost, now)) return 0;
    const units = Math.min(this.#size, lease!.max - this.#units - this.#lent, policy.capacity);
    return units < cost ? 0 : units;
  }

  fetching(units: number, now: number): void {
    this.#coming = units;
    this.#askedAt = now;
  }

  /** More units are on their way than others wait for. To ask for some of them besides would be no sooner. */
  isWorthWaiting({ cost }: Claim): boolean {
    return this.#coming - this.#awaited >= cost;
  }

  /** @param asking one claim of this key */
  wait(asking: Asking): Asking {
    this.#waiting.push(asking);
    this.#awaited += asking.group[0]!.cost;
    return asking;
  }

  /** Who has waited for what has come, or has not. */
  release(): readonly Asking[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#awaited = 0;
    return waiting;
  }

  /** Units have come, perhaps fewer than were asked for. @returns what has to go to the store */
  fetched({ outcomes: [outcome], receipts }: Answer, { cost: wanted, lease }: Claim): readonly Receipt[] {
    this.#coming = 0;
    if (this.#ended) return this.#ended === 'retired' ? receipts : [];
    const [receipt] = receipts;
    if (outcome === undefined || receipt === undefined) {
      // The budget is spent: whoever asks now asks the store, which knows when there is more.
      this.#size = 0;
      return [];
    }
    const { max, horizon } = lease!;
    // A fixed window takes what was charged with it when it ends.
    const windowEnd = this.policy.algorithm === 'fixed-window' ? (outcome.resetAfter - 1) * DRIFT : Infinity;
    this.#parcels.push({ receipt, units: receipt.units, until: this.#askedAt + Math.min(horizon, windowEnd) });
    this.#units += receipt.units;
    // What was used up in half of the time is worth fetching twice as much of.
    const isTooSmall = this.#askedAt - this.#fetchedAt < horizon / 2;
    if (receipt.units < wanted) this.#size = receipt.units;
    else if (isTooSmall) this.#size = Math.min(this.#size * 2, max);
    this.#outcome = outcome;
    this.#fetchedAt = this.#askedAt;
    return [];
  }

  /** Units that did not come after all. */
  failed(): void {
    this.#coming = 0;
    this.#size = 0;
  }

  /** Gives up what has expired. @returns what has to go to the store */
  giveUp(now: number): Receipt[] {
    const over = this.#parcels.filter(({ until }) => until <= now);
    if (over.length === 0) return [];
    this.#parcels = this.#parcels.filter(({ until }) => until > now);
    const unused = over.reduce((sum, { units }) => sum + units, 0);
    this.#units -= unused;
    // What was left over was not worth fetching.
    this.#size = Math.max(1, this.#size - unused);
    return over.map(({ receipt, units }) => ({ ...receipt, units }));
  }

  /** Nothing is spent from here any more. @returns what has to go to the store, as all that still comes */
  retire(): Receipt[] {
    const receipts = this.giveUp(Infinity);
    this.#ended = 'retired';
    return receipts;
  }

  /** Nothing is spent from here any more: the store has forgotten what was charged. */
  forget(): void {
    this.retire();
    this.#ended = 'forgotten';
  }

  /** What a client is told that is served from here. */
  outcome({ tier }: Claim, now: number): Outcome {
    const { limit, remaining, replenishAfter, resetAfter } = this.#outcome!;
    const elapsed = now - this.#fetchedAt;
    return {
      tier,
      allowed: true,
      never: false,
      shadow: false,
      limit,
      remaining: Math.min(limit, remaining + this.#units),
      retryAfter: 0,
      replenishAfter: after(replenishAfter, elapsed),
      resetAfter: after(resetAfter, elapsed),
      delay: 0,
    };
  }

  /** The parcel that units were drawn from. */
  #draw({ cost, lease }: Claim, now: number): Parcel | undefined {
    const isAskedOften = now - this.#lastUse <= lease!.horizon;
    this.#lastUse = now;
    this.#horizon = lease!.horizon;
    const parcel = this.#parcelOf(cost, now);
    if (parcel === undefined) {
      if (this.#size > 0 || isAskedOften) this.#size = Math.max(this.#size, cost);
      return undefined;
    }
    parcel.units -= cost;
    this.#units -= cost;
    if (parcel.units === 0) this.#parcels = this.#parcels.filter(({ units }) => units > 0);
    return parcel;
  }

  /** One that holds it all, for a request has one receipt of a tier. */
  #parcelOf(cost: number, now: number): Parcel | undefined {
    for (let index = 0; index < this.#parcels.length; index += 1) {
      const parcel = this.#parcels[index]!;
      if (parcel.units >= cost && parcel.until > now) return parcel;
    }
    return undefined;
  }
}

/** The receipt of the first of the units that were left of a parcel: `units` of them, which are gone from it. */
function firstOf({ receipt, units: left }: Parcel, units: number): Receipt {
  const { tier, key, policy, at, until } = receipt;
  if (policy.algorithm !== 'token-bucket') return { tier, key, policy, units, at, until };
  // Of a bucket, time gives the first units back first.
  const { window, tick, limit } = policy;
  return { tier, key, policy, units, at, until: until - Math.ceil((left * window) / (tick * limit)) };
}

function after(milliseconds: number, elapsed: number): number {
  return Math.max(0, Math.ceil(milliseconds - elapsed));
}
