import { type BesideCandidate, type Claim, claimNotes, NEVER } from '@sluice/core/internal';
import { lineKey } from './line-key.js';
import type { LinedPolicy } from './lined-policy.js';
import { owedUnits } from './pace.js';
import { paceOf } from './paces.js';

/** What a request says of its place in line. */
export interface PlaceNote {
  /** It wants a place, and comes back with it. */
  readonly asks: boolean;
  /** The place that it has brought, in microseconds since 1970. 0 for none. */
  readonly place: number;
  /** Where the store has the place of its caller. Undefined where requests bring their places themselves. */
  readonly callerKey?: string | undefined;
  /** The text of a place. Undefined where the store has it. */
  seal?(place: number): string;
}

const NO_NOTE: PlaceNote = { asks: false, place: 0 };

export function placeNoteOf(claim: Claim): PlaceNote {
  return (claimNotes.get(claim) as PlaceNote | undefined) ?? NO_NOTE;
}

/** A second, by which clients that are told whole seconds come late. In microseconds. */
const LATE = 1e6;

/** A claim before the line of its key. Times are ticks of its policy. */
export interface Standing {
  readonly end: number;
  /** The last place that is kept. */
  readonly kept: number;
  /** True while places are kept: others leave what their owners may be owed. */
  readonly isOpen: boolean;
  readonly asks: boolean;
  /** The place that its request has brought. 0 for none. */
  readonly place: number;
  /** It has come before its place, in the line that stands now. */
  readonly isEarly: boolean;
  /** Its place is not over. */
  readonly isInTime: boolean;
  /** Units that others may be owed before it. 0 for one that is in time. */
  readonly owed: number;
}

export function standingOf(each: BesideCandidate): Standing {
  const { claim, ticks: now, beside } = each;
  const policy = claim.policy as LinedPolicy;
  const { tick, line } = policy;
  const [end = 0, kept = 0] = beside.get(lineKey(claim.key)) ?? [];
  const { asks, place, callerKey } = placeNoteOf(claim);
  const brought = callerKey === undefined ? place : (beside.get(callerKey)?.[0] ?? 0);
  const at = Math.ceil(brought / tick);
  const last = Math.ceil(kept / tick);
  const isOpen = line.keep > 0 && last > now - line.keep;
  const isInTime = at > 0 && at <= now && now <= at + lateTicks(policy);
  const time = Math.min(line.keep, line.keep + Math.min(0, last - now));
  return {
    end: Math.ceil(end / tick),
    kept: last,
    isOpen,
    asks,
    place: at,
    isEarly: isOpen && at > now && at <= last && mayBeTold(each, at - now),
    isInTime,
    owed: isOpen && !isInTime ? owedUnits(paceOf(policy.plain)!, policy, time) : 0,
  };
}

/** A place that is farther than what a line tells was told before a clock jumped back. */
function mayBeTold({ claim, algorithm, state, ticks: now, cost }: BesideCandidate, wait: number): boolean {
  const policy = claim.policy as LinedPolicy;
  return wait <= policy.line.longest || wait <= algorithm.wait(state, now, policy, cost);
}

/** How long a place is worth something, in ticks. */
export function lateTicks({ line, tick }: LinedPolicy): number {
  return line.keep + Math.ceil(LATE / tick);
}

/** Ticks that a claim waits whose state says so many: while places are kept, it leaves what their owners may be owed. */
export function waitInLine(each: BesideCandidate): number {
  const { claim, algorithm, state, ticks: now, cost, retryAfter } = each;
  const policy = claim.policy as LinedPolicy;
  if (policy.line.keep === 0 || cost === 0 || retryAfter === NEVER) return retryAfter;
  const standing = standingOf(each);
  if (!standing.isOpen) return retryAfter;
  if (standing.isEarly) return standing.place - now;
  if (standing.isInTime) return retryAfter;
  const units = cost + standing.owed;
  if (algorithm.remaining(state, now, policy) >= units) return 0;
  // It comes back with a place, for which nothing is owed.
  if (standing.asks) return Math.max(1, retryAfter);
  const wait = algorithm.wait(state, now, policy, Math.min(policy.capacity, units));
  return units <= policy.capacity ? wait : Math.max(wait, standing.kept + policy.line.keep - now);
}
