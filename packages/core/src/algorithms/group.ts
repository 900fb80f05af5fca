import type { Claim } from '../model/claim.js';
import { NEVER, type Ruling } from '../model/ruling.js';
import type { Algorithm, Asked } from './algorithm.js';
import { algorithmOf } from './index.js';

/** One claim on its way through a decision: what is kept under its key goes in, the ruling and the next state come out. */
export interface Candidate extends Asked {
  claim: Claim;
  readonly algorithm: Algorithm;
  /** As the store kept it; undefined for a key that is not there. */
  stored: unknown;
  /** The time of the decision, in the policy's ticks. */
  ticks: number;
  state: unknown;
  /** The state must be kept: something was charged, or what was kept is ahead of the clock. */
  changed: boolean;
  /** Units that are asked for. */
  readonly cost: number;
  /** Ticks until the claim fits; 0: it fits; NEVER: it cannot. */
  retryAfter: number;
  /** Units that were charged. */
  charged: number;
  /** Undefined until it is decided. */
  ruling: Ruling | undefined;
}

/** @param algorithm that of the claim's policy */
export function candidate(claim: Claim, stored: unknown, algorithm = algorithmOf(claim.policy)): Candidate {
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
    ruling: undefined,
  };
}

/**
 * Decides the claims of one request together. An enforced claim is charged only when every enforced one fits, a shadow
 * claim when it fits besides; a claim that counts denied requests is charged for each, at most up to full.
 *
 * @param now microseconds
 */
export function consumeGroup(candidates: readonly Candidate[], now: number): void {
  if (candidates.length === 1) {
    consumeOne(candidates[0]!, now);
    return;
  }
  let admit = true;
  for (const each of candidates) {
    readAndWait(each, now);
    if (each.retryAfter !== 0 && !each.claim.shadow) admit = false;
  }
  for (const each of candidates) settle(each, admit);
}

/** Decides the claim of a request that has no other, as most have: nobody else denies it. */
export function consumeOne(each: Candidate, now: number): void {
  readAndWait(each, now);
  settle(each, true);
}

/** Decides another unit of the same policy in the place of one that was decided: less is made for each of many. */
export function consumeNext(each: Candidate, claim: Claim, stored: unknown, now: number): Ruling {
  each.claim = claim;
  each.stored = stored;
  each.charged = 0;
  consumeOne(each, now);
  return each.ruling!;
}

/** Answers the claims of one request and changes nothing. */
export function peekGroup(candidates: readonly Candidate[], now: number): void {
  for (const each of candidates) {
    readAndWait(each, now);
    describe(each);
  }
}

function isAhead({ claim, algorithm, stored, ticks }: Candidate): boolean {
  return stored !== undefined && algorithm.ahead(stored, ticks, claim.policy);
}

function waitOf({ claim, algorithm, state, ticks, cost }: Candidate): number {
  const { policy } = claim;
  if (cost > policy.capacity) return NEVER;
  return cost === 0 ? 0 : algorithm.wait(state, ticks, policy, cost);
}

function readAndWait(each: Candidate, now: number): void {
  const { policy } = each.claim;
  each.ticks = Math.floor(now / policy.tick);
  each.state = each.algorithm.read(each.stored, each.ticks, policy);
  each.retryAfter = waitOf(each);
}

/** @param admit no other claim denies */
function settle(each: Candidate, admit: boolean): void {
  const { cost, countDenied } = each.claim;
  if (cost > 0 && (countDenied || (admit && each.retryAfter === 0))) charge(each);
  // What is charged is kept anyway.
  else each.changed = isAhead(each);
  describe(each);
}

function describe(each: Candidate): void {
  each.ruling = each.algorithm.describe(each.state, each.ticks, each.claim.policy, each);
}

function charge(each: Candidate): void {
  const { claim, algorithm, state, ticks } = each;
  const { policy, cost } = claim;
  const denied = each.retryAfter !== 0;
  each.charged = denied ? Math.min(cost, algorithm.remaining(state, ticks, policy)) : cost;
  each.state = algorithm.charge(state, ticks, policy, cost);
  each.changed = true;
  // A denied request that was counted has made its own wait longer.
  if (denied) each.retryAfter = waitOf(each);
}
