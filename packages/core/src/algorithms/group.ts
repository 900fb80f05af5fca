import type { Claim } from '../model/claim.js';
import { NEVER, type Ruling } from '../model/ruling.js';
import type { Algorithm } from './algorithm.js';
import { algorithmOf } from './index.js';

/** One claim on its way through a decision: what is kept under its key goes in, the ruling and the next state come out. */
export interface Candidate {
  readonly claim: Claim;
  readonly algorithm: Algorithm;
  /** As the store kept it; undefined for a key that is not there. */
  readonly stored: unknown;
  /** The time of the decision, in the policy's ticks. */
  ticks: number;
  state: unknown;
  /** The state must be kept: something was charged, or what was kept is ahead of the clock. */
  changed: boolean;
  /** Ticks until the claim fits; 0: it fits; NEVER: it cannot. */
  wait: number;
  /** Units that were charged. */
  charged: number;
  /** Undefined until it is decided. */
  ruling: Ruling | undefined;
}

export function candidate(claim: Claim, stored: unknown): Candidate {
  return {
    claim,
    algorithm: algorithmOf(claim.policy),
    stored,
    ticks: 0,
    state: undefined,
    changed: false,
    wait: 0,
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
    if (each.wait !== 0 && !each.claim.shadow) admit = false;
  }
  for (const each of candidates) settle(each, admit);
}

/** Decides the claim of a request that has no other, as most have: nobody else denies it. */
export function consumeOne(each: Candidate, now: number): void {
  readAndWait(each, now);
  settle(each, true);
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

function waitOf({ claim, algorithm, state, ticks }: Candidate): number {
  const { policy, cost } = claim;
  if (cost > policy.capacity) return NEVER;
  return cost === 0 ? 0 : algorithm.wait(state, ticks, policy, cost);
}

function readAndWait(each: Candidate, now: number): void {
  const { policy } = each.claim;
  each.ticks = Math.floor(now / policy.tick);
  each.state = each.algorithm.read(each.stored, each.ticks, policy);
  each.wait = waitOf(each);
}

/** @param admit no other claim denies */
function settle(each: Candidate, admit: boolean): void {
  const { cost, countDenied } = each.claim;
  if (cost > 0 && (countDenied || (admit && each.wait === 0))) charge(each);
  // What is charged is kept anyway.
  else each.changed = isAhead(each);
  describe(each);
}

function describe(each: Candidate): void {
  const { claim, algorithm, state, ticks, charged, wait: retryAfter } = each;
  const asked = { cost: claim.cost, charged, retryAfter };
  const description = algorithm.describe(state, ticks, claim.policy, asked);
  each.ruling = {
    charged,
    limit: description.limit,
    remaining: description.remaining,
    retryAfter,
    replenishAfter: description.replenishAfter,
    resetAfter: description.resetAfter,
    delay: description.delay,
  };
}

function charge(each: Candidate): void {
  const { claim, algorithm, state, ticks } = each;
  const { policy, cost } = claim;
  const denied = each.wait !== 0;
  each.charged = denied ? Math.min(cost, algorithm.remaining(state, ticks, policy)) : cost;
  each.state = algorithm.charge(state, ticks, policy, cost);
  each.changed = true;
  // A denied request that was counted has made its own wait longer.
  if (denied) each.wait = waitOf(each);
}
