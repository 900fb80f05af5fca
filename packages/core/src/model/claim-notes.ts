import type { Claim } from './claim.js';
import { companion } from './companion.js';

/** What a request says to the feature of its tier, by its claim. A copy of the claim says nothing. */
export const claimNotes = companion<Claim, unknown>('claim-notes');
