import { bindingOf, type Decision, type Limiter, type Outcome, type Policy, samePolicy } from '@sluice/core/internal';
import { quotaPoliciesOf, type PolicyName } from './quota-policy.js';

/** A decision, and the limiter that made it. */
export interface LimiterDecision {
  readonly limiter: Pick<Limiter<never>, 'policies'>;
  readonly decision: Decision;
}

/** The outcome of an enforced tier, and the name that clients know it by. */
export interface ReportedTier {
  readonly name: PolicyName;
  readonly outcome: Outcome;
  readonly policy: Policy;
}

/**
 * The enforced tiers of all decisions. Clients find list members by name, so names are unique. If two limiters share a
 * tier, the stricter outcome is reported. If they have different tiers of one name, the later one gets a number.
 */
export function reportedTiers(decisions: readonly LimiterDecision[]): readonly ReportedTier[] {
  const enforced: ReportedTier[] = [];
  for (const each of decisions) addEnforced(enforced, each);
  // The only tier of a request has a unique name.
  if (enforced.length === 1) return enforced;
  const reported: ReportedTier[] = [];
  const taken = new Set<string>();
  for (const each of enforced) {
    const { outcome, policy, name } = each;
    const shared = reported.findIndex((other) => other.name.tier === name.tier && samePolicy(other.policy, policy));
    if (shared < 0) reported.push({ ...each, name: uniqueName(each, taken) });
    else reported[shared] = { ...reported[shared]!, outcome: bindingOf([reported[shared]!.outcome, outcome])! };
  }
  return reported;
}

/** By loops: each request reports its tiers, a denied one twice. */
function addEnforced(tiers: ReportedTier[], { limiter, decision }: LimiterDecision): void {
  const policies = limiter.policies(decision);
  const { outcomes } = decision;
  for (let index = 0; index < outcomes.length; index += 1) {
    const outcome = outcomes[index]!;
    const policy = policies[index]!;
    // There is nothing to report of a pause that is over.
    if (outcome.shadow || (policy.algorithm.chargesNobody && outcome.allowed)) continue;
    tiers.push({ name: { tier: outcome.tier, number: 1 }, outcome, policy });
  }
}

/** The first free name: another tier may have the name of one of these windows. */
function uniqueName({ outcome, policy }: ReportedTier, taken: Set<string>): PolicyName {
  for (let number = 1; ; number += 1) {
    const name = { tier: outcome.tier, number };
    const names = quotaPoliciesOf(name, policy, outcome).map((each) => each.name);
    if (names.some((each) => taken.has(each))) continue;
    for (const each of names) taken.add(each);
    return name;
  }
}
