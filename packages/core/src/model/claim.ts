import type { Policy } from './policy.js';
import { companion } from './companion.js';

/** One tier's part of a request to a store. */
export interface Claim {
  /** The name of the tier. */
  readonly tier: string;
  /** The key under which the store holds the state. It is made of digests, never of raw identities. */
  readonly key: string;
  readonly policy: Policy;
  /** Units to charge. 0 reads without charging. */
  readonly cost: number;
  /** A shadow tier is answered, is charged when it fits, and never denies. */
  readonly shadow: boolean;
  /** A string to store with the key if the request is admitted, at most 64 bytes. */
  readonly record: string | undefined;
  /** The name of the units in the store, for units that come back when their request ends. It has at most 48 characters. */
  readonly name?: string | undefined;
  /** What its tier has fixed for all requests. Absent for a claim that no limiter has made: `NO_TERMS`. */
  readonly terms?: ClaimTerms;
}

/** What a tier has fixed for all of its claims. A store needs `charge` alone: the others are for what lies before it. */
export interface ClaimTerms {
  /** Which requests it charges. */
  readonly charge: Charging;
  /** True to request all of a budget where the cost is more than it can hold. The cost fits the policy already. */
  readonly takesAll: boolean;
  /** What happens to the tier while the store is unavailable. */
  readonly onStoreFailure: OnStoreFailure;
  /** Lets a process charge units ahead and spend them without a call. */
  readonly lease: Lease | undefined;
  /** The policy of this process alone, while the store is unavailable. */
  localPolicyOf(policy: Policy): Policy;
}

export const NO_TERMS: ClaimTerms = {
  charge: 'admitted',
  takesAll: false,
  onStoreFailure: 'local',
  lease: undefined,
  localPolicyOf: (policy) => policy,
};

/** The same terms with changes, for claims that are not those of a usual request. */
export function changedTerms(terms: ClaimTerms = NO_TERMS, changes: Partial<ClaimTerms>): ClaimTerms {
  const { charge, takesAll, onStoreFailure, lease } = terms;
  return {
    charge,
    takesAll,
    onStoreFailure,
    lease,
    localPolicyOf: (policy) => terms.localPolicyOf(policy),
    ...changes,
  };
}

/** Which requests a claim charges. */
export function chargingOf({ terms }: Pick<Claim, 'terms'>): Charging {
  return terms === undefined ? 'admitted' : terms.charge;
}

/** The same claim, which charges other requests. */
export function chargedFor(claim: Claim, charge: Charging): Claim {
  return { ...claim, terms: changedTerms(claim.terms, { charge }) };
}

/**
 * What happens to a request while the store is unavailable. `local`: this process limits alone. `allow`: the request is
 * admitted. `deny`: it gets 503.
 */
export type OnStoreFailure = 'local' | 'allow' | 'deny';

export const ON_STORE_FAILURE: readonly OnStoreFailure[] = ['local', 'allow', 'deny'];

/** How far ahead a process may charge units. */
export interface Lease {
  /** Units of a key that a process holds at most. */
  readonly units: number;
  /** How long a process holds unused units, in milliseconds. */
  readonly duration: number;
}

/**
 * Which requests a tier charges. `admitted`: those that all tiers admit. `denied`: those that another tier denies and
 * this one does not, for bans. `all`: also those that are denied, at most up to full.
 */
export type Charging = 'admitted' | 'denied' | 'all';

export const CHARGING: readonly Charging[] = ['admitted', 'denied', 'all'];

/** False for a tier that admitted requests never use up: a pause, a ban, and one whose units come back. */
export function isUsedUp(claim: Pick<Claim, 'policy' | 'terms'>): boolean {
  const { endsWithRequest, chargesNobody } = claim.policy.algorithm;
  return !endsWithRequest && !chargesNobody && chargingOf(claim) !== 'denied';
}

/** What a request says to the feature of its tier, by its claim. A copy says nothing unless `changedClaim` has made it. */
export const claimNotes = companion<Claim, unknown>('claim-notes');

/** The same claim with changes. It says to the feature of its tier what the claim says. */
export function changedClaim(claim: Claim, changes: Partial<Claim>): Claim {
  const changed = { ...claim, ...changes };
  const note = claimNotes.get(claim);
  if (note !== undefined) claimNotes.set(changed, note);
  return changed;
}
