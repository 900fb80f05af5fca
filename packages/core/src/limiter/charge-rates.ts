import type { MaybePromise } from '../async/maybe-promise.js';
import type { Claim } from '../model/claim.js';
import type { Answer } from '../stores/store.js';
import { NO_CLAIMS } from './charge-beside-zero-limits.js';
import type { ClaimSet } from './claims/claim-set.js';
import type { LimiterParts } from './limiter-parts.js';
import { countedIn } from './usage.js';

/** Charges rates beside the plan of a request, with their usage and their notices. */
export function chargeRates(
  { store, decider, notices }: Pick<LimiterParts<never>, 'store' | 'decider' | 'notices'>,
  claims: readonly Claim[],
  labels: ClaimSet['labels'],
): MaybePromise<Answer> {
  if (claims.length === 0) return NO_CLAIMS;
  const isCounted = claims.some(({ policy }) => policy.usage);
  const charge = isCounted ? countedIn(store, decider.chargeRates) : decider.chargeRates;
  const hasMarks = claims.some(({ policy }) => policy.marks !== undefined);
  return hasMarks ? notices.around(charge)(claims, labels) : charge(claims);
}
