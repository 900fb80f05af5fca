import { bindingOf } from '../../model/decision.js';
import type { Outcome } from '../../model/outcome.js';
import { samePolicy, type Policy } from '../../model/policy.js';
import type { GateDecision } from '../gate/request-state.js';
import { quotasOf, type PolicyName } from './quota-policy.js';

/** An enforced tier that has answered, and what clients are told it by. */
export interface ReportedTier {
  readonly label: PolicyName;
  readonly outcome: Outcome;
  readonly policy: Policy;
}

/**
 * Lists are read by name, so a name stands once. Two limiters may share a tier: then the stricter answer stands. Or they
 * may have tiers of one name in stores of their own: then the later one is told with a number.
 */
export function reportedTiers(counted: readonly GateDecision[]): readonly ReportedTier[] {
  const alone = aloneIn(counted);
  if (alone) return [alone];
  const told: ReportedTier[] = [];
  const taken = new Set<string>();
  for (const { limiter, decision } of counted) {
    const policies = limiter.policies(decision);
    decision.outcomes.forEach((outcome, index) => {
      if (!outcome.shadow) tell(told, taken, outcome, policies[index]!);
    });
  }
  return told;
}

/** The tier of the one limiter that has counted, which most requests come to: nobody else has a name. */
function aloneIn(counted: readonly GateDecision[]): ReportedTier | undefined {
  if (counted.length !== 1) return undefined;
  const { limiter, decision } = counted[0]!;
  if (decision.outcomes.length !== 1) return undefined;
  const outcome = decision.outcomes[0]!;
  if (outcome.shadow) return undefined;
  return { label: { tier: outcome.tier, number: 1 }, outcome, policy: limiter.policies(decision)[0]! };
}

function tell(told: ReportedTier[], taken: Set<string>, outcome: Outcome, policy: Policy): void {
  const same = told.findIndex(({ label, policy: other }) => label.tier === outcome.tier && samePolicy(other, policy));
  if (same >= 0) {
    const before = told[same]!;
    told[same] = { ...before, outcome: bindingOf([before.outcome, outcome])! };
    return;
  }
  for (let number = 1; ; number += 1) {
    const label = { tier: outcome.tier, number };
    const names = quotasOf(label, policy, outcome.limit).map(({ name }) => name);
    // Another tier may be called what a window of this one is told by.
    if (names.some((name) => taken.has(name))) continue;
    for (const name of names) taken.add(name);
    told.push({ label, outcome, policy });
    return;
  }
}
