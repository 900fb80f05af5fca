import type { Outcome } from '../../model/outcome.js';

/** The binding outcome of several enforced outcomes. If several are equal, it is the first of them. */
export function bindingOf(enforced: readonly Outcome[]): Outcome | undefined {
  let binding = enforced[0];
  for (const outcome of enforced) if (bindsMore(outcome, binding!)) binding = outcome;
  return binding;
}

/** True for an outcome that says nothing of the requests to come: it admits, and clients do not use its tier up. */
export function isSilent({ held, allowed }: Outcome): boolean {
  return held === true && allowed;
}

/** True if an outcome binds its request more than another one. */
export function bindsMore(one: Outcome, other: Outcome): boolean {
  if (one.allowed !== other.allowed) return !one.allowed;
  // The wait of a rate is a truth.
  if (!one.allowed && one.hint !== other.hint) return other.hint === true;
  if (isSilent(one) !== isSilent(other)) return isSilent(other);
  return one.allowed ? one.remaining < other.remaining : one.retryAfter > other.retryAfter;
}
