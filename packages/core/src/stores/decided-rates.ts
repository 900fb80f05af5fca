import type { Kernel } from '../algorithms/kernel.js';
import type { Claim } from '../model/claim.js';
import { isAdmitted, type DraftOutcome, type Outcome } from '../model/outcome.js';
import type { Policy } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import { NEVER, type Ruling } from '../model/ruling.js';
import type { Answer, ChargeVisitor } from '../model/answer.js';

/** Where a store in this process has found a key before. The store compares the key: it may have moved. */
export interface SlotHint {
  /** The key, as text that the store compares without reading it. */
  readonly storeKey: string;
  slot: number;
}

/** What a request asks of a tier, beside its key. A claim says it, too. */
export interface Rate extends Pick<Claim, 'tier' | 'policy' | 'shadow'> {
  /** Units. Undefined where the request says it. */
  readonly cost: number | undefined;
  /** @default that of the policy */
  readonly kernel?: Kernel;
  /** The number that the store has for the policy. @default the policy has one while keys have states of it */
  readonly number?: number;
  /** Where tiers count side by side: slots behind that of the first tier, whose key is the key of all of them. @default 0 */
  readonly offset?: number;
}

/** A store that decides rates in place. */
export interface RateStore {
  /** The number of a policy that many keys will have. */
  pin(policy: Policy): number;
  /**
   * Lets the tiers of a plan count side by side, with one key for an identity.
   *
   * @param ends of their store keys behind the digest
   * @returns false where each tier has a key of its own
   */
  join(ends: readonly string[]): boolean;
  /** Makes the answer to a request of fixed rates. @returns false where claims must decide it: nothing has changed then */
  check(rates: readonly Rate[], request: DecidedRates): boolean;
}

const UNDECIDED: Outcome[] = [];
const NO_RECEIPTS: readonly Receipt[] = [];

/**
 * A request of rates, of which a memory store makes the answer. It remembers what the request was about, and makes receipts
 * when they are read, because few decisions are ever corrected. A spread of it has none: stores of applications get plain
 * answers.
 */
export abstract class DecidedRates implements Answer {
  // Declared, because fields that a constructor assigns take a third of the time of fields that a class defines.
  declare readonly rates: readonly Rate[];
  /** Units that the request asks of each tier without a cost of its own. */
  declare readonly cost: number;
  declare readonly source: 'memory';
  /** When it was decided, in microseconds. */
  declare now: number;
  declare outcomes: Outcome[];
  /** Ticks until the budget of each tier is full. Those of a lone tier without an array. */
  declare resets: number | number[];

  constructor(rates: readonly Rate[], cost: number) {
    this.rates = rates;
    this.cost = cost;
    this.source = 'memory';
    this.now = 0;
    this.outcomes = UNDECIDED;
    this.resets = 0;
  }

  /** The key under which the store holds the state of a tier. */
  abstract storeKeyAt(index: number): string;

  /** Where the store has found that key before. Undefined for a key that nobody remembers. */
  abstract hintAt(index: number): SlotHint | undefined;

  /** One for each tier that was charged. */
  get receipts(): readonly Receipt[] {
    const { outcomes } = this;
    if (!isAdmitted(outcomes)) return NO_RECEIPTS;
    let charged = 0;
    for (let index = 0; index < outcomes.length; index += 1) if (unitsAt(this, index) > 0) charged += 1;
    // Of its final length: an array that grows reserves room for 16 more.
    const receipts = new Array<Receipt>(charged);
    for (let index = 0, next = 0; next < charged; index += 1) {
      const units = unitsAt(this, index);
      if (units === 0) continue;
      receipts[next] = receiptAt(this, index, units);
      next += 1;
    }
    return receipts;
  }

  /** Calls back for each tier that was charged, and makes no receipt of it. */
  visitCharges(visit: ChargeVisitor): void {
    if (!isAdmitted(this.outcomes)) return;
    for (let index = 0; index < this.outcomes.length; index += 1) {
      const units = unitsAt(this, index);
      if (units > 0) visit(this.rates[index]!.tier, units);
    }
  }
}

// Functions, because a private method takes a property of each object.

/** What a tier of an admitted request is charged. */
function unitsAt({ outcomes, rates, cost }: DecidedRates, index: number): number {
  return outcomes[index]!.allowed ? (rates[index]!.cost ?? cost) : 0;
}

function receiptAt(request: DecidedRates, index: number, units: number): Receipt {
  const { resets, now } = request;
  const { tier, policy } = request.rates[index]!;
  const at = Math.floor(now / policy.tick);
  const until = at + (typeof resets === 'number' ? resets : resets[index]!);
  return { tier, key: request.storeKeyAt(index), policy, units, at, until };
}

/** The numbers of a ruling, in milliseconds. @param tick of the policy, in microseconds */
export function plainOutcome(tier: string, shadow: boolean, tick: number, ruling: Ruling): DraftOutcome {
  const never = ruling.retryAfter === NEVER;
  return {
    tier,
    allowed: ruling.retryAfter === 0,
    never,
    shadow,
    limit: ruling.limit,
    remaining: ruling.remaining,
    retryAfter: never ? Infinity : toMilliseconds(ruling.retryAfter * tick),
    replenishAfter: toMilliseconds(ruling.replenishAfter * tick),
    resetAfter: toMilliseconds(ruling.resetAfter * tick),
    delay: toMilliseconds(ruling.delay * tick),
  };
}

/** Rounded up, so that waiting is always enough. */
function toMilliseconds(microseconds: number): number {
  return Math.ceil(microseconds / 1e3);
}

/** A time in microseconds. Rounds, because 0.007 * 1000 is not quite 7. */
export function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e3);
}
