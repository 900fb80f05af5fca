import type { Claim } from '../model/claim.js';
import type { Inspection } from '../model/inspection.js';
import type { Outcome } from '../model/outcome.js';
import { admitsNothing } from '../model/policy.js';
import { inspectionsOf } from '../stores/inspections.js';
import type { AbleStore } from '../stores/store.js';
import { answerWithoutStore } from '../stores/answer.js';
import type { ClaimSet, TierInfo } from './claims/claim-set.js';

/** What a store has of claims. */
export async function inspectClaims(store: AbleStore, claimSet: ClaimSet): Promise<readonly Inspection[]> {
  const { tiers, claims } = claimSet;
  const isEmpty = ({ policy }: Claim) => admitsNothing(policy);
  const stored = await inspectionsOf(
    store,
    claims.filter((claim) => !isEmpty(claim)),
  );
  const { outcomes } = answerWithoutStore(claims.filter(isEmpty));
  const all = [...stored, ...outcomes.map((outcome) => withoutState(outcome, tiers))];
  return tiers.map(({ name }) => all.find(({ outcome }) => outcome.tier === name)!);
}

/** No store has a state of a limit of 0. */
function withoutState(outcome: Outcome, tiers: readonly TierInfo[]): Inspection {
  const { policy } = tiers.find(({ name }) => name === outcome.tier)!;
  const readAt = Date.now();
  const fitsAt = outcome.allowed ? readAt : Infinity;
  return { outcome, recorded: [], key: '', policy, isStored: false, readAt, fitsAt, terms: undefined };
}
