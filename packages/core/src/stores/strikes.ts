import type { Claim } from '../model/claim.js';

/**
 * Groups that charge the tiers of a denied request which charge denied requests, each by itself: for a denial that the store
 * of these tiers does not know.
 */
export function strikesOf(group: readonly Claim[]): readonly (readonly Claim[])[] {
  return group.filter(({ charge }) => charge === 'denied').map((claim) => [{ ...claim, charge: 'admitted' }]);
}
