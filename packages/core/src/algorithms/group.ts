import { chargingOf, type Claim } from '../model/claim.js';
import { admitsNothing } from '../model/policy.js';
import { NEVER } from '../model/ruling.js';
import { algorithmOf, type GroupRule, type GroupWait } from './algorithm.js';
import { beside, hasBeside, type BesideCandidate } from './beside.js';
import type { BesideNumbers, Candidate } from './candidate.js';
import { wishing } from './wishing.js';

/** @param numbers that the store has beside states. Most claims need none */
export function candidate(claim: Claim, stored: unknown, numbers?: BesideNumbers): Candidate {
  const algorithm = algorithmOf(claim.policy);
  return {
    claim,
    algorithm,
    stored,
    ticks: 0,
    state: undefined,
    changed: false,
    cost: claim.cost,
    retryAfter: 0,
    charged: 0,
    beside: numbers !== undefined && beside.of(claim.policy) !== undefined ? numbers : undefined,
    ruling: undefined,
  };
}

/**
 * Decides the claims of one request together. An enforced claim is charged only when all enforced claims fit, a shadow
 * claim when it fits as well. A claim that charges all requests is always charged, at most up to full; one that charges
 * denied requests when it fits and another one denies.
 *
 * @param now microseconds
 * @returns whether the request is admitted
 */
export function consumeGroup(candidates: readonly Candidate[], now: number): boolean {
  const isAdmitted = decide(candidates, now);
  if (!isAdmitted && candidates.some(({ claim }) => wishing.of(claim.policy) !== undefined)) leaveWishes(candidates);
  for (const each of candidates) if (hasBeside(each)) tellBeside(each, isAdmitted, candidates);
  return isAdmitted;
}

function tellBeside(each: BesideCandidate, isAdmitted: boolean, candidates: readonly Candidate[]): void {
  const steps = beside.of(each.claim.policy)!;
  if (isAdmitted) steps.admitted(each);
  else steps.denied(each, candidates);
}

const FITS = { retryAfter: 0 };

/** Remembers those that such limits alone have denied. Another tier would deny them although units were left. */
function leaveWishes(candidates: readonly Candidate[]): void {
  const group = candidates.map(({ claim }) => claim);
  const otherWaits = candidates.map((each) => (wishes(each) ? FITS : waitIn(each)));
  if (!areAdmitted(group, otherWaits)) return;
  for (const each of candidates.filter(wishes)) wishing.of(each.claim.policy)!.leaveWishes(each);
}

function wishes({ claim, retryAfter }: Candidate): boolean {
  return wishing.of(claim.policy) !== undefined && retryAfter !== 0 && retryAfter !== NEVER && !claim.shadow;
}

function decide(candidates: readonly Candidate[], now: number): boolean {
  for (const each of candidates) readAndWait(each, now);
  const group = candidates.map(({ claim }) => claim);
  const rule = groupRuleOf(group);
  if (rule !== undefined) return settleTogether(candidates, rule);
  const isAdmitted = allFit(group, candidates);
  for (const each of candidates) settle(each, isAdmitted);
  return isAdmitted;
}

/** The rule by which a claim decides the others, too. Its tier is the last of the request, but for limits of 0. */
export function groupRuleOf(group: readonly Claim[]): GroupRule | undefined {
  for (let place = group.length - 1; place >= 0; place -= 1) {
    const { policy } = group[place]!;
    if (!admitsNothing(policy)) return algorithmOf(policy).group;
  }
  return undefined;
}

/** Whether claims of a request are admitted that wait so long. @param waits ticks until each claim fits, in their order */
export function areAdmitted(group: readonly Claim[], waits: readonly GroupWait[]): boolean {
  return groupRuleOf(group)?.charges(group, waits).isAdmitted ?? allFit(group, waits);
}

function allFit(group: readonly Claim[], waits: readonly GroupWait[]): boolean {
  return group.every(({ shadow }, index) => shadow || waits[index]!.retryAfter === 0);
}

function settleTogether(candidates: readonly Candidate[], rule: GroupRule): boolean {
  const group = candidates.map(({ claim }) => claim);
  const { isAdmitted, areCharged, parts } = rule.charges(group, candidates.map(waitIn));
  for (const [index, each] of candidates.entries()) {
    const part = parts?.[index];
    if (part === undefined) settle(each, areCharged[index]!);
    else settlePart(each, part, areCharged[index]!);
  }
  return isAdmitted;
}

function waitIn({ claim, algorithm, state, ticks, retryAfter }: Candidate): GroupWait {
  return { retryAfter, remaining: algorithm.remaining(state, ticks, claim.policy) };
}

/** Charges a claim a part of its cost. @param fits whether the part is all that was asked of it */
function settlePart(each: Candidate, part: number, fits: boolean): void {
  each.claim = { ...each.claim, cost: part };
  if (fits) each.retryAfter = 0;
  charge(each);
  describe(each);
}

/** Decides the claims of one request and changes nothing. @param now microseconds */
export function peekGroup(candidates: readonly Candidate[], now: number): void {
  for (const each of candidates) {
    // What a request says to a feature is for its own decision: a script hears of none in a peek.
    if (hasBeside(each)) each.claim = { ...each.claim };
    readAndWait(each, now);
    describe(each);
  }
  for (const each of candidates) if (hasBeside(each)) beside.of(each.claim.policy)!.peeked(each);
}

function isAhead({ claim, algorithm, stored, ticks }: Candidate): boolean {
  return stored !== undefined && algorithm.isAhead(stored, ticks, claim.policy);
}

function waitOf({ claim, algorithm, state, ticks, cost }: Candidate): number {
  const { policy } = claim;
  if (cost > policy.capacity) return NEVER;
  return cost === 0 ? 0 : algorithm.wait(state, ticks, policy, cost, claim.name);
}

/** Reads a claim, and says how long it waits. @param now microseconds */
function readAndWait(each: Candidate, now: number): void {
  const { policy } = each.claim;
  each.ticks = Math.floor(now / policy.tick);
  each.state = each.algorithm.read(each.stored, each.ticks, policy);
  each.retryAfter = waitOf(each);
  if (hasBeside(each)) each.retryAfter = beside.of(policy)!.wait(each, now);
}

function describe(each: Candidate): void {
  each.ruling = each.algorithm.describe(each.state, each.ticks, each.claim.policy, each);
}

function charge(each: Candidate): void {
  const { claim, algorithm, state, ticks } = each;
  const { policy, cost } = claim;
  const isDenied = each.retryAfter !== 0;
  each.charged = isDenied ? Math.min(cost, algorithm.remaining(state, ticks, policy)) : cost;
  each.state = algorithm.charge(state, ticks, policy, cost, claim.name);
  each.changed = true;
  // A denied request that is charged makes its own wait longer, and may begin a ban.
  if (isDenied || chargingOf(claim) === 'denied') each.retryAfter = waitOf(each);
}

/** @param isAdmitted no other claim denies */
function isCharged({ claim, cost, retryAfter }: Candidate, isAdmitted: boolean): boolean {
  if (cost === 0) return false;
  const charging = chargingOf(claim);
  if (charging === 'all') return true;
  if (claim.policy.algorithm.chargesNobody) return false;
  return (charging === 'denied' ? !isAdmitted : isAdmitted) && retryAfter === 0;
}

/** Charges a claim or does not, and describes it. @param isAdmitted no other claim denies */
function settle(each: Candidate, isAdmitted: boolean): void {
  if (isCharged(each, isAdmitted)) charge(each);
  else each.changed = isAhead(each);
  describe(each);
}
