import type { Outcome } from '@sluice/core/internal';

/** How a tier decided. `near`: allowed, with little of the limit left. A balance has no limit: it has `paid`, or was `not-needed`. */
export type OutcomeKind = 'within' | 'near' | 'over' | 'never' | 'paid' | 'not-needed';

/** @param near the part of the limit from which an allowed outcome is `near` */
export function outcomeKind({ allowed, never, limit, remaining, paid }: Outcome, near: number): OutcomeKind {
  if (never) return 'never';
  if (!allowed) return 'over';
  if (paid !== undefined) return paid ? 'paid' : 'not-needed';
  return limit - remaining >= limit * near ? 'near' : 'within';
}

/** Whether a tier can have outcomes of a kind. */
export function hasOutcome(kind: OutcomeKind, isBalance: boolean): boolean {
  if (kind === 'within' || kind === 'near') return !isBalance;
  return isBalance || kind === 'over' || kind === 'never';
}
