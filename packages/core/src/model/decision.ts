import type { OnStoreFailure } from './claim.js';
import type { Outcome } from './outcome.js';

/** What decided: a store, something in front of it, or `none` when nothing was checked. */
export type Source = 'redis' | 'memory' | 'deny-cache' | 'lease' | 'local' | 'none';

/** The outcomes of all tiers of a request, taken together. */
export interface Decision {
  readonly allowed: boolean;
  /** `never`: a tier can never hold the cost. `unavailable`: the store failed, and `onStoreFailure` is `'deny'`. */
  readonly reason: 'ok' | 'denied' | 'never' | 'unavailable';
  /** Of the denying outcomes the one with the longest wait, else the one with the fewest units left. */
  readonly binding?: Outcome;
  /** The enforced tiers that deny, largest first. */
  readonly deniedBy: readonly string[];
  /** One for each tier that applied, largest first. */
  readonly outcomes: readonly Outcome[];
  /** Milliseconds until the same request fits all tiers. 0 when allowed, `Infinity` when never. */
  readonly retryAfter: number;
  /** Milliseconds until an allowed request may go on. Above 0 only with a leaky-bucket queue. */
  readonly delay: number;
  readonly source: Source;
  /** True when `onStoreFailure` decided instead of the store. */
  readonly degraded: boolean;
}

export type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Where the outcomes of a decision come from. */
type Origin = { readonly source: Source; readonly fallback?: OnStoreFailure };

/** @param outcomes largest first */
export function toDecision(outcomes: readonly Outcome[], origin: Origin): Decision {
  return fillDecision({} as Mutable<Decision>, outcomes, origin);
}

/** Like `toDecision`, for an object that has more than a decision. */
export function fillDecision<D extends Mutable<Decision>>(
  decision: D,
  outcomes: readonly Outcome[],
  { source, fallback }: Origin,
): D {
  let binding: Outcome | undefined;
  let deniedBy = NO_TIERS;
  let never = false;
  let delay = 0;
  for (const outcome of outcomes) {
    if (outcome.shadow) continue;
    if (binding === undefined || bindsMore(outcome, binding)) binding = outcome;
    if (!outcome.allowed) deniedBy = deniedBy === NO_TIERS ? [outcome.tier] : [...deniedBy, outcome.tier];
    if (outcome.never) never = true;
    if (outcome.delay > delay) delay = outcome.delay;
  }
  const allowed = deniedBy === NO_TIERS;
  // A limit of 0 denies without the store.
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

const NO_TIERS: readonly string[] = Object.freeze([]);

/** The binding outcome of several enforced ones. Of equal outcomes the first. */
export function bindingOf(enforced: readonly Outcome[]): Outcome | undefined {
  let binding = enforced[0];
  for (const outcome of enforced) if (bindsMore(outcome, binding!)) binding = outcome;
  return binding;
}

function bindsMore(one: Outcome, other: Outcome): boolean {
  if (one.allowed !== other.allowed) return !one.allowed;
  return one.allowed ? one.remaining < other.remaining : one.retryAfter > other.retryAfter;
}

const MAX_RETRY_SECONDS = 5;

/** The decision of a request that nothing could decide. The wait is random, so that clients do not return together. */
export function unavailable(): Decision {
  return {
    allowed: false,
    reason: 'unavailable',
    deniedBy: [],
    outcomes: [],
    retryAfter: Math.ceil(Math.random() * MAX_RETRY_SECONDS) * 1_000 || 1_000,
    delay: 0,
    source: 'none',
    degraded: true,
  };
}
