import type { Claim } from '../model/claim.js';
import type { Source } from '../model/decision.js';
import type { Outcome } from '../model/outcome.js';
import type { Receipt } from '../model/receipt.js';
import { NEVER, type Ruling } from '../model/ruling.js';
import type { Answer } from './store.js';

/** Where and when a group of claims was decided. */
export interface AnswerOrigin {
  readonly source: Source;
  /** The store's time, in microseconds. */
  readonly now: number;
  /** When the request was sent, in milliseconds of `performance.now()`. */
  readonly sentAt?: number;
}

/** The answer to a group of claims, by one ruling for each. */
export function toAnswer(group: readonly Claim[], rulings: readonly Ruling[], origin: AnswerOrigin): Answer {
  const { source, now, sentAt } = origin;
  let outcomes: Outcome[];
  let receipts: Receipt[];
  if (group.length === 1) {
    // Most requests have one claim, and literals of one element take less memory than arrays that grow.
    const claim = group[0]!;
    const ruling = rulings[0]!;
    outcomes = [toOutcome(claim, ruling)];
    receipts = ruling.charged > 0 ? [toReceipt(claim, ruling, now)] : [];
  } else {
    outcomes = group.map((claim, index) => toOutcome(claim, rulings[index]!));
    receipts = group.flatMap((claim, index) => {
      const ruling = rulings[index]!;
      return ruling.charged > 0 ? toReceipt(claim, ruling, now) : [];
    });
  }
  return sentAt === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, sentAt };
}

function toOutcome({ tier, shadow, policy: { tick } }: Claim, ruling: Ruling): Outcome {
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

/** @param now microseconds */
export function toReceipt({ tier, key, policy }: Claim, { charged, resetAfter }: Ruling, now: number): Receipt {
  const at = Math.floor(now / policy.tick);
  return { tier, key, policy, units: charged, at, until: at + resetAfter };
}

/** Rounded up, so that waiting is always enough. */
function toMilliseconds(microseconds: number): number {
  return Math.ceil(microseconds / 1e3);
}
