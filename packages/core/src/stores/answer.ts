import { algorithmOf, type GroupRule } from '../algorithms/algorithm.js';
import type { Candidate } from '../algorithms/candidate.js';
import { candidate, peekGroup } from '../algorithms/group.js';
import { reachedIn } from '../algorithms/noticing.js';
import { chargingOf, type Claim } from '../model/claim.js';
import type { Source } from '../model/decision.js';
import type { Outcome } from '../model/outcome.js';
import { admitsNothing } from '../model/policy.js';
import type { Receipt } from '../model/receipt.js';
import type { Ruling } from '../model/ruling.js';
import type { Answer } from '../model/answer.js';
import { plainOutcome } from './decided-rates.js';

/** Where and when a group of claims was decided. */
export interface AnswerOrigin {
  readonly source: Source;
  /** The store's time, in microseconds. */
  readonly now: number;
  /** When the request was sent, in milliseconds of `performance.now()`. */
  readonly sentAt?: number;
}

/** The answer to a group of claims, by one ruling for each. */
export function toAnswer(group: readonly Claim[], rulings: readonly Ruling[], origin: AnswerOrigin): Answer {
  const { source, now, sentAt } = origin;
  const outcomes = outcomesOf(group, rulings);
  const receipts = receiptsOf(group, rulings, now);
  const reached = reachedIn(group, rulings);
  const answer = sentAt === undefined ? { outcomes, receipts, source } : { outcomes, receipts, source, sentAt };
  return reached === undefined ? answer : { ...answer, reached };
}

/** The same for claims that were decided one by one. */
export function answerOf(decided: readonly Candidate[], origin: AnswerOrigin): Answer {
  const claims = decided.map(({ claim }) => claim);
  const rulings = decided.map(({ ruling }) => ruling!);
  return toAnswer(claims, rulings, origin);
}

/** What rulings say to a client. One of the claims may have a say in the others. */
export function outcomesOf(group: readonly Claim[], rulings: readonly Ruling[]): readonly Outcome[] {
  // Of its final length: an array that grows reserves room for 16 more.
  const outcomes = new Array<Outcome>(group.length);
  let rule: GroupRule | undefined;
  for (let index = 0; index < group.length; index += 1) {
    const claim = group[index]!;
    outcomes[index] = toOutcome(claim, rulings[index]!);
    const own = algorithmOf(claim.policy).group;
    // That of the last tier, but for limits of 0.
    if (own !== undefined || (rule !== undefined && !admitsNothing(claim.policy))) rule = own;
  }
  return rule === undefined ? outcomes : rule.tell(group, rulings, outcomes);
}

/** What a ruling says to a client. */
export function toOutcome(claim: Claim, ruling: Ruling): Outcome {
  const { tier, shadow, policy } = claim;
  const outcome = plainOutcome(tier, shadow, policy.tick, ruling);
  const shown = algorithmOf(policy).tell?.(outcome, claim, ruling) ?? outcome;
  return chargingOf(claim) === 'denied' ? { ...shown, held: true } : shown;
}

/** One for each claim that was charged. @param now microseconds */
export function receiptsOf(group: readonly Claim[], rulings: readonly Ruling[], now: number): readonly Receipt[] {
  let charged = 0;
  for (let index = 0; index < group.length; index += 1) if (rulings[index]!.charged > 0) charged += 1;
  // Of its final length: an array that grows reserves room for 16 more.
  const receipts = new Array<Receipt>(charged);
  for (let index = 0, next = 0; next < charged; index += 1) {
    const ruling = rulings[index]!;
    if (ruling.charged === 0) continue;
    receipts[next] = toReceipt(group[index]!, ruling, now);
    next += 1;
  }
  return receipts;
}

/** @param now microseconds */
export function toReceipt(claim: Claim, { charged, resetAfter, before }: Ruling, now: number): Receipt {
  const { tier, key, policy, name } = claim;
  const at = Math.floor(now / policy.tick);
  const until = at + resetAfter;
  if (before !== undefined) return { tier, key, policy, units: charged, at, until, before };
  if (name === undefined) return { tier, key, policy, units: charged, at, until };
  return { tier, key, policy, units: charged, at, until, name, of: charged };
}

/** False for claims that are decided without a state: there is none, or all have a limit of 0. */
export function needStore(claims: readonly Claim[]): boolean {
  for (let place = 0; place < claims.length; place += 1) if (!admitsNothing(claims[place]!.policy)) return true;
  return false;
}

/** The answer to claims that need no store. */
export function answerWithoutStore(claims: readonly Claim[]): Answer {
  const now = Date.now() * 1e3;
  const candidates = claims.map((claim) => candidate(claim, undefined));
  peekGroup(candidates, now);
  return answerOf(candidates, { source: 'none', now });
}
