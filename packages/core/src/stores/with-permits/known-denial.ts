import type { Claim } from '../../model/claim.js';
import type { HeldPolicy } from '../../model/held-policy.js';
import type { Outcome } from '../../model/outcome.js';
import type { HeldPermits } from '../held-permits.js';
import type { Answer } from '../store.js';
import { mayWait, queues, takesPermit } from './permit-claims.js';

/** The denial of a key whose whole limit this process holds: no store can say anything else. */
export function knownDenial(group: readonly Claim[], held: HeldPermits, now: number): Answer | undefined {
  const outcomes: Outcome[] = [];
  for (const claim of group) {
    const { key, policy, cost, shadow, charge } = claim;
    if (charge !== 'admitted' || (!shadow && cost > policy.capacity)) return undefined;
    if (shadow || !takesPermit(claim) || held.of(key).size === 0) continue;
    // It may wait, but only if no rate denies it too.
    if (mayWait(claim)) return undefined;
    const units = held.units(key, now);
    if (units + cost > policy.limit) outcomes.push(denied(claim, Math.max(0, policy.limit - units)));
  }
  return outcomes.length > 0 ? denialBy(outcomes) : undefined;
}

/** The denial of a group that may not wait, although others wait already for the same permits. */
export function denialInLine(group: readonly Claim[]): Answer {
  return denialBy(group.filter(queues).map((claim) => denied(claim, 0)));
}

function denialBy(outcomes: readonly Outcome[]): Answer {
  return { outcomes, receipts: [], source: 'deny-cache' };
}

function denied({ tier, policy }: Claim, remaining: number): Outcome {
  const { limit, hold, retry } = policy as HeldPolicy;
  return {
    tier,
    allowed: false,
    never: false,
    shadow: false,
    limit,
    remaining,
    retryAfter: retry,
    replenishAfter: retry,
    resetAfter: hold,
    delay: 0,
    held: true,
    hint: true,
  };
}
