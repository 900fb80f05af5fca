import type { PermitPolicy } from '../../algorithms/concurrency/permit-policy.js';
import { chargingOf, type Claim } from '../../model/claim.js';
import { denies, type Outcome } from '../../model/outcome.js';
import type { Patience } from '../../model/patience.js';
import type { Line } from '../../waiting/line.js';
import type { Turn } from '../../waiting/work.js';
import type { Passage, Waiters } from '../layer.js';
import type { Answer } from '../../model/answer.js';
import type { HeldPermits } from './held-permits.js';

/** The claims of a request, and how it waits. */
export type Waiting = Pick<Passage, 'group' | 'patience'>;

export function takesPermit({ policy, cost }: Claim): boolean {
  return policy.algorithm.endsWithRequest && cost > 0;
}

/** The policy of a claim that takes permits. */
export function policyOf({ policy }: Claim): PermitPolicy {
  return policy as PermitPolicy;
}

export const NO_WAITERS: Waiters = { others: false, ofCaller: false };

interface Naming {
  readonly held: HeldPermits;
  readonly waiters: Waiters;
  readonly patience: Patience | undefined;
  /** The policy of requests that wait in line. */
  readonly waitingPolicy: (policy: PermitPolicy) => PermitPolicy;
}

/** A claim with the name of its permit, which says to the store whether its process has others in line. */
export function namedClaim(claim: Claim, { held, waiters, patience, waitingPolicy }: Naming): Claim {
  if (!takesPermit(claim)) return claim;
  const policy = policyOf(claim);
  const name = held.nextName(policy);
  if (!queues(claim, patience)) return { ...claim, name };
  const isBehind = patience?.hasOthers === true;
  const end = isBehind || waiters.ofCaller ? '!2' : waiters.others ? '!1' : '!0';
  return { ...claim, name: name + end, policy: waitingPolicy(policy) };
}

/** How long a claim may wait for its permit, in milliseconds. */
export function waitOf(claim: Claim, patience: Patience | undefined): number {
  return patience?.wait ?? policyOf(claim).wait;
}

/** True for a claim that must not overtake those that wait for its permit. */
export function queues(claim: Claim, patience: Patience | undefined): boolean {
  return takesPermit(claim) && !claim.shadow && (hasLine(patience) || policyOf(claim).wait > 0);
}

/** The same, but for a claim that may not wait where callers take turns: the store knows whether it is its turn. */
export function overtakes(claim: Claim, patience: Patience | undefined): boolean {
  return queues(claim, patience) && (policyOf(claim).caller === undefined || waitOf(claim, patience) > 0);
}

/** True for work of `run`, which has a line of its own: of that line only the first waits here. */
function hasLine(patience: Patience | undefined): boolean {
  return patience?.wait !== undefined;
}

/** Whose turn a claim takes. Undefined where callers do not share the limit. */
export function turnOf(claim: Claim): Turn | undefined {
  const { caller, weight } = policyOf(claim);
  return caller === undefined ? undefined : { caller, weight: weight!, cost: claim.cost };
}

/** True for a denial of a shared limit that has units left: they are for other callers. */
export function isCrowded({ outcomes }: Answer): boolean {
  return outcomes.some((each) => denies(each) && each.held === true && each.remaining > 0);
}

/** False if as many wait as the policy allows. A caller takes no more places than it leaves free, so that there are some for others. */
export function hasRoom(
  claim: Claim,
  patience: Patience | undefined,
  line: Pick<Line<Answer>, 'size' | 'sizeOf'> | undefined,
): boolean {
  if (hasLine(patience) || line === undefined) return true;
  const { caller, queue } = policyOf(claim);
  const own = caller === undefined ? 0 : line.sizeOf(caller);
  return own < queue - line.size;
}

/** True for a claim that may wait for its permit. */
export function mayWait(claim: Claim, patience: Patience | undefined): boolean {
  return queues(claim, patience) && waitOf(claim, patience) > 0;
}

/** The claims that deny, if all of them may wait for a permit. */
export function claimsToWaitFor({ group, patience }: Waiting, { outcomes, fallback }: Answer): readonly Claim[] {
  if (fallback === 'deny') return [];
  const claims: Claim[] = [];
  for (const { tier, never } of outcomes.filter(denies)) {
    const claim = group.find((each) => each.tier === tier);
    if (never || claim === undefined || !mayWait(claim, patience)) return [];
    claims.push(claim);
  }
  return claims;
}

/** The denial of a key whose whole limit this process holds: no store can say anything else. */
export function knownDenial({ group, patience }: Waiting, held: HeldPermits, now: number): Answer | undefined {
  const outcomes: Outcome[] = [];
  for (const claim of group) {
    const { key, policy, cost, shadow } = claim;
    if (chargingOf(claim) !== 'admitted' || (!shadow && cost > policy.capacity)) return undefined;
    if (shadow || !takesPermit(claim) || held.of(key).size === 0) continue;
    // It may wait, but only if no rate denies it too. Where callers share the limit the store must hear of the denial.
    if (mayWait(claim, patience) || policyOf(claim).caller !== undefined) return undefined;
    const units = held.units(key, now);
    if (units + cost > policy.limit) outcomes.push(denied(claim, Math.max(0, policy.limit - units)));
  }
  return outcomes.length > 0 ? denialBy(outcomes) : undefined;
}

/** The denial of a group that may not wait, although others wait already for the same permits. */
export function denialInLine({ group, patience }: Waiting): Answer {
  return denialBy(group.filter((claim) => queues(claim, patience)).map((claim) => denied(claim, 0)));
}

function denialBy(outcomes: readonly Outcome[]): Answer {
  return { outcomes, receipts: [], source: 'deny-cache' };
}

function denied(claim: Claim, remaining: number): Outcome {
  const { limit, hold, retry } = policyOf(claim);
  return {
    tier: claim.tier,
    allowed: false,
    never: false,
    shadow: false,
    limit,
    remaining,
    retryAfter: retry,
    replenishAfter: retry,
    resetAfter: hold,
    delay: 0,
    held: true,
    hint: true,
  };
}
