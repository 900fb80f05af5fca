import type { Claim } from './claim.js';
import { toMilliseconds } from './duration.js';
import { NEVER, type Ruling } from './ruling.js';

/** One tier's answer. Durations are whole milliseconds, rounded up: having waited them is always enough. */
export interface Outcome {
  /** The tier's name. */
  readonly tier: string;
  /** This tier alone would let the request pass. */
  readonly allowed: boolean;
  /** The cost is more than this tier can ever hold: waiting does not help. */
  readonly never: boolean;
  /** The tier only watches: it never denies. */
  readonly shadow: boolean;
  /** Units of a full budget: the limit of a window, the burst of a bucket, the places of a queue. */
  readonly limit: number;
  /** Whole units that are left after this request. */
  readonly remaining: number;
  /** Milliseconds until the same request fits this tier; 0 when allowed, `Infinity` when never. */
  readonly retryAfter: number;
  /** Milliseconds until one more unit is left; 0 when none is missing. */
  readonly replenishAfter: number;
  /** Milliseconds until nothing is used. */
  readonly resetAfter: number;
  /** Milliseconds that the caller has to wait before it goes on; only a leaky queue asks for that. */
  readonly delay: number;
}

/** Says in public units what an algorithm ruled. */
export function toOutcome(claim: Claim, ruling: Ruling): Outcome {
  const { tick } = claim.policy;
  const never = ruling.retryAfter === NEVER;
  return {
    tier: claim.tier,
    allowed: ruling.retryAfter === 0,
    never,
    shadow: claim.shadow,
    limit: ruling.limit,
    remaining: ruling.remaining,
    retryAfter: never ? Infinity : toMilliseconds(ruling.retryAfter * tick),
    replenishAfter: toMilliseconds(ruling.replenishAfter * tick),
    resetAfter: toMilliseconds(ruling.resetAfter * tick),
    delay: toMilliseconds(ruling.delay * tick),
  };
}
