import type { Claim } from '../../model/claim.js';
import type { HeldPolicy } from '../../model/held-policy.js';
import type { Answer } from '../store.js';

/** True for a group with permits or a pause: a server that was away has to hear of them before it decides. */
export function mustBeHeard(group: readonly Claim[]): boolean {
  for (let index = 0; index < group.length; index += 1) if (group[index]!.policy.heard === true) return true;
  return false;
}

export function takesPermit({ policy, cost }: Claim): boolean {
  return policy.held === true && cost > 0;
}

/** The policy of a claim that takes permits. */
export function policyOf({ policy }: Claim): HeldPolicy {
  return policy as HeldPolicy;
}

/** How long a claim may wait for its permit, in milliseconds. */
export function waitOf(claim: Claim): number {
  return claim.wait ?? policyOf(claim).wait;
}

/** True for a claim that must not overtake those that wait for its permit. */
export function queues(claim: Claim): boolean {
  return takesPermit(claim) && !claim.shadow && (claim.wait !== undefined || policyOf(claim).wait > 0);
}

/** True for a claim that may wait for its permit. */
export function mayWait(claim: Claim): boolean {
  return queues(claim) && waitOf(claim) > 0;
}

/** The claims that deny, if all of them may wait for a permit. */
export function claimsToWaitFor(group: readonly Claim[], { outcomes, fallback }: Answer): readonly Claim[] {
  if (fallback === 'deny') return [];
  const claims: Claim[] = [];
  for (const { tier, allowed, shadow, never } of outcomes) {
    if (allowed || shadow) continue;
    const claim = group.find((each) => each.tier === tier);
    if (never || claim === undefined || !mayWait(claim)) return [];
    claims.push(claim);
  }
  return claims;
}
