import type { Outcome } from '../model/outcome.js';

/** How a tier decided. `near`: allowed, with little of the limit left. */
export type OutcomeKind = 'within' | 'near' | 'over' | 'never';

/** @param near the part of the limit from which an allowed outcome is `near` */
export function outcomeKind({ allowed, never, limit, remaining }: Outcome, near: number): OutcomeKind {
  if (never) return 'never';
  if (!allowed) return 'over';
  return limit - remaining >= limit * near ? 'near' : 'within';
}
