import type { Policy } from '../model/policy.js';
import { facet } from './facet.js';

/** What limits do that give notice of marks. */
export interface Noticing<P = Policy> {
  /**
   * The same policy for a request whose tiers are in several slots of a Cluster: one holds back what its charge would tell, and one
   * tells it later, by a claim without cost.
   */
  apart(policy: P): { readonly held: Policy; readonly later: Policy };
}

export const noticing = facet<Noticing>('noticing');

/** True for a policy that gives notice of marks. */
export function givesNotice(policy: Policy): boolean {
  return noticing.of(policy) !== undefined;
}
