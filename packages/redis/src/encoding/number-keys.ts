import { beside, type Claim, type Policy } from '@sluice/core/internal';

/** The keys of the numbers that features have beside the state of a claim. Most claims have none. */
export function numberKeysOf(claim: Claim): readonly string[] {
  return beside.of(claim.policy)?.keysOf(claim.key, claim) ?? NONE;
}

const NONE: readonly string[] = [];

/** True for a policy that has numbers beside its states. */
export function hasNumbers(policy: Policy): boolean {
  return beside.of(policy) !== undefined;
}

/** What a claim says to its script. Undefined for one that says nothing by a text. */
export function noteTextOf(claim: Claim): string | number | undefined {
  if (claim.policy.algorithm.endsWithRequest) return claim.name!;
  const steps = beside.of(claim.policy);
  return steps?.noted === 'text' ? steps.textOf(claim) : undefined;
}
