import type { Claim } from '@sluice/core/internal';

/** Which claims a request with a covering balance charges. */
export interface Payment {
  readonly isAdmitted: boolean;
  /** The claim of the balance that pays. Undefined where none has to, or none can. */
  readonly payer: Claim | undefined;
}

/** Ticks until a claim fits; 0: it fits. */
interface Waiting {
  readonly retryAfter: number;
}

/** True for a balance that pays in the place of other tiers, and denies no request itself. */
export function isCovering({ policy }: Claim): boolean {
  return policy.covers !== undefined;
}

/** A balance pays where it covers all claims that deny, and holds its cost. @param waits of the claims, in their order */
export function paymentOf(group: readonly Claim[], waits: readonly Waiting[]): Payment {
  const denying = group.filter((claim, index) => waits[index]!.retryAfter !== 0 && !claim.shadow && !isCovering(claim));
  if (denying.length === 0) return { isAdmitted: true, payer: undefined };
  const payer = group.find(
    (claim, index) => waits[index]!.retryAfter === 0 && denying.every((each) => covers(claim, each)),
  );
  return { isAdmitted: payer !== undefined, payer };
}

/** Whether a claim is one of those that a payment charges. */
export function isChargedBy({ isAdmitted, payer }: Payment, claim: Claim): boolean {
  if (isCovering(claim)) return claim === payer;
  return isAdmitted && (payer === undefined || !covers(payer, claim));
}

export function covers({ policy }: Claim, { tier }: Pick<Claim, 'tier'>): boolean {
  return policy.covers?.includes(tier) === true;
}
