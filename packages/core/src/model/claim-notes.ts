import type { Claim } from './claim.js';
import { companion } from './companion.js';

/** What a request says to the feature of its tier, by its claim. A copy says nothing unless `changedClaim` has made it. */
export const claimNotes = companion<Claim, unknown>('claim-notes');

/** The same claim with changes. It says to the feature of its tier what the claim says. */
export function changedClaim(claim: Claim, changes: Partial<Claim>): Claim {
  const changed = { ...claim, ...changes };
  const note = claimNotes.get(claim);
  if (note !== undefined) claimNotes.set(changed, note);
  return changed;
}
