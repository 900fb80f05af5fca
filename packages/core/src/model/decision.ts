import type { OnStoreFailure } from './on-store-failure.js';
import type { Outcome } from './outcome.js';

/** Who decided. */
export type Source = 'redis' | 'memory' | 'deny-cache' | 'lease' | 'local' | 'none';

/** All outcomes of a request together. */
export interface Decision {
  readonly allowed: boolean;
  /** `never`: the cost is more than a tier can ever hold. `unavailable`: the store could not answer. */
  readonly reason: 'ok' | 'denied' | 'never' | 'unavailable';
  /** The outcome that a client has to wait for, or that is closest to denying; none when no enforced tier applied. */
  readonly binding?: Outcome;
  /** The enforced tiers that deny, largest first. */
  readonly deniedBy: readonly string[];
  /** One for each tier that applied, largest first. */
  readonly outcomes: readonly Outcome[];
  /** Milliseconds until the same request fits all tiers; 0 when allowed, `Infinity` when never. */
  readonly retryAfter: number;
  /** Milliseconds that an allowed request has to wait for its turn (leaky queue); else 0. */
  readonly delay: number;
  /** Who decided. */
  readonly source: Source;
  /** Decided without the store that was asked for. */
  readonly degraded: boolean;
}

/** Seconds. Everybody who is told the same would come back at the same time. */
const LATEST = 5;

/** The decision that nobody could make: the request is not admitted, and nothing says that it was too many. */
export function unavailable(): Decision {
  return {
    allowed: false,
    reason: 'unavailable',
    deniedBy: [],
    outcomes: [],
    retryAfter: Math.ceil(Math.random() * LATEST) * 1_000 || 1_000,
    delay: 0,
    source: 'none',
    degraded: true,
  };
}

/**
 * @param outcomes largest first
 * @param fallback how it was decided instead, where the store could not answer
 */
export function toDecision(outcomes: readonly Outcome[], source: Source, fallback?: OnStoreFailure): Decision {
  const enforced = outcomes.filter((outcome) => !outcome.shadow);
  const denying = enforced.filter((outcome) => !outcome.allowed);
  const allowed = denying.length === 0;
  // A limit of 0 denies whatever the store would say.
  if (fallback === 'deny' && allowed) return unavailable();
  const binding = bindingOf(enforced);
  return {
    allowed,
    reason: allowed ? 'ok' : denying.some((outcome) => outcome.never) ? 'never' : 'denied',
    ...(binding && { binding }),
    deniedBy: denying.map((outcome) => outcome.tier),
    outcomes,
    retryAfter: allowed ? 0 : binding!.retryAfter,
    delay: allowed ? Math.max(0, ...enforced.map((outcome) => outcome.delay)) : 0,
    source,
    degraded: fallback !== undefined,
  };
}

/** Of enforced outcomes: among those that deny the one to wait longest for, else the one that is closest to denying. */
export function bindingOf(enforced: readonly Outcome[]): Outcome | undefined {
  const denying = enforced.filter((outcome) => !outcome.allowed);
  return denying.length === 0
    ? least(enforced, (outcome) => outcome.remaining)
    : least(denying, (outcome) => -outcome.retryAfter);
}

/** The one with the smallest measure; of equals the first. */
function least(outcomes: readonly Outcome[], measure: (outcome: Outcome) => number): Outcome | undefined {
  let best = outcomes[0];
  for (const outcome of outcomes) if (measure(outcome) < measure(best!)) best = outcome;
  return best;
}
