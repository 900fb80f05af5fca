import type { Claim } from '../model/claim.js';
import type { ReachedMark } from '../model/notice.js';
import type { Policy } from '../model/policy.js';
import type { Ruling } from '../model/ruling.js';
import { facet } from './facet.js';

/** What limits do that give notice of marks. */
export interface Noticing<P = Policy> {
  /**
   * The same policy for a request whose tiers are in several slots of a Cluster: one holds back what its charge would tell, and one
   * tells it later, by a claim without cost.
   */
  apart(policy: P): { readonly held: Policy; readonly later: Policy };
  /** The marks that the charge of a claim has reached. Undefined for most. */
  reachedBy(claim: Claim, ruling: Ruling): readonly ReachedMark[] | undefined;
}

export const noticing = facet<Noticing>('noticing');

/** True for a policy that gives notice of marks. */
export function givesNotice(policy: Policy): boolean {
  return noticing.of(policy) !== undefined;
}

/** The marks that the charges of a request have reached. Undefined for most. */
export function reachedIn(group: readonly Claim[], rulings: readonly Ruling[]): readonly ReachedMark[] | undefined {
  let reached: readonly ReachedMark[] | undefined;
  for (let index = 0; index < group.length; index += 1) {
    const claim = group[index]!;
    const own = noticing.of(claim.policy)?.reachedBy(claim, rulings[index]!);
    if (own !== undefined) reached = reached === undefined ? own : [...reached, ...own];
  }
  return reached;
}
