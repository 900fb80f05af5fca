import { TieredDecision, type KeyVisitor } from '../limiter/decisions/tiered-decision.js';
import type { Decision } from '../model/decision.js';

/** Calls back with the store key of each tier of a decision: on the hot path, where `tracksOf` would make objects. */
export function visitKeys(decision: Decision, visit: KeyVisitor): void {
  TieredDecision.visitKeys(decision, visit);
}
