import { addedIn, bindingOf, toldOf, type ToldDenial } from '@sluice/core/internal';
import { bindingPolicyOf } from '../headers/quota-policy.js';
import { reportedTiers, type LimiterDecision } from '../headers/reported-tiers.js';
import { usedUp } from './used-up.js';

/** What denies a request. */
export interface Violation {
  /** The names of the policies that deny. */
  readonly policies: readonly string[];
  /** What the client is told in the place of a wait. */
  readonly told: ToldDenial | undefined;
  /** Sentences behind that. */
  readonly added: readonly string[];
}

export function violationOf(decisions: readonly LimiterDecision[]): Violation {
  const tiers = reportedTiers(decisions);
  const denying = tiers.filter(({ outcome }) => !outcome.allowed);
  const policies = denying.map((tier) => bindingPolicyOf(tier.name, tier.policy, tier.outcome).name);
  const outcomes = denying.map(({ outcome }) => outcome);
  const bound = denying[outcomes.indexOf(bindingOf(outcomes)!)];
  const told = bound && (toldOf(bound.policy, bound.outcome) ?? usedUp(bound.policy, bound.outcome));
  return { policies, told, added: outcomes.length === 0 ? [] : addedIn(tiers, outcomes) };
}
