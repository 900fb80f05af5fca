import { bindingOf } from '@sluice/core/internal';
import { bindingPolicyOf } from '../headers/quota-policy.js';
import { reportedTiers, type LimiterDecision } from '../headers/reported-tiers.js';
import { usedUpText } from './used-up-text.js';

/** What denies a request. */
export interface Violation {
  /** The names of the policies that deny. */
  readonly policies: readonly string[];
  /** What the client is told that has to wait for the next period of a calendar. */
  readonly usedUp: string | undefined;
}

export function violationOf(decisions: readonly LimiterDecision[]): Violation {
  const denying = reportedTiers(decisions).filter(({ outcome }) => !outcome.allowed);
  const policies = denying.map((tier) => bindingPolicyOf(tier.name, tier.policy, tier.outcome).name);
  if (!denying.some(({ policy }) => policy.calendar !== undefined)) return { policies, usedUp: undefined };
  const binding = bindingOf(denying.map(({ outcome }) => outcome))!;
  const { policy } = denying.find(({ outcome }) => outcome === binding)!;
  return { policies, usedUp: usedUpText(policy, binding) };
}
