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
  return fillIn({} as Changeable<Decision>, outcomes, source, fallback);
}

/** Fills in a decision that is more than its numbers. */
export function fillIn<D extends Changeable<Decision>>(
  decision: D,
  outcomes: readonly Outcome[],
  source: Source,
  fallback?: OnStoreFailure,
): D {
  let binding: Outcome | undefined;
  let deniedBy = NOBODY;
  let never = false;
  let delay = 0;
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index]!;
    if (outcome.shadow) continue;
    if (binding === undefined || bindsMore(outcome, binding)) binding = outcome;
    if (!outcome.allowed) deniedBy = deniedBy === NOBODY ? [outcome.tier] : [...deniedBy, outcome.tier];
    if (outcome.never) never = true;
    if (outcome.delay > delay) delay = outcome.delay;
  }
  const allowed = deniedBy === NOBODY;
  // A limit of 0 denies whatever the store would say.
  if (fallback === 'deny' && allowed) return Object.assign(decision, unavailable());
  decision.allowed = allowed;
  decision.reason = allowed ? 'ok' : never ? 'never' : 'denied';
  decision.deniedBy = deniedBy;
  decision.outcomes = outcomes;
  decision.retryAfter = allowed ? 0 : binding!.retryAfter;
  decision.delay = allowed ? delay : 0;
  decision.source = source;
  decision.degraded = fallback !== undefined;
  if (binding) decision.binding = binding;
  return decision;
}

export type Changeable<T> = { -readonly [Name in keyof T]: T[Name] };

const NOBODY: readonly string[] = Object.freeze([]);

/**
 * Of enforced outcomes: among those that deny the one to wait longest for, else the one that is closest to denying; of
 * equals the first.
 */
export function bindingOf(enforced: readonly Outcome[]): Outcome | undefined {
  let binding = enforced[0];
  for (const outcome of enforced) if (bindsMore(outcome, binding!)) binding = outcome;
  return binding;
}

function bindsMore(one: Outcome, other: Outcome): boolean {
  if (one.allowed !== other.allowed) return !one.allowed;
  return one.allowed ? one.remaining < other.remaining : one.retryAfter > other.retryAfter;
}
