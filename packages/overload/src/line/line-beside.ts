import { type Beside, type BesideCandidate, type Candidate, type Claim, coveredBy, NEVER } from '@sluice/core/internal';
import { publishTold } from './line-event.js';
import { lineKey } from './line-key.js';
import type { LinedRuling } from './lined-ruling.js';
import type { LinedPolicy, LineTerms } from './lined-policy.js';
import { placeOf, type Place } from './pace.js';
import { paceOf } from './paces.js';
import { placeNoteOf, standingOf, waitInLine } from './standing.js';

/** The end of a line, beside the state of its key. Only denials read and write it. Its Lua twin is lined-claims.lua. */
const spread: Beside<LinedPolicy> = {
  part: 'lined-claims',
  keyCount: 1,
  noted: undefined,
  plain: ({ plain }) => plain,
  keysOf: (key) => [lineKey(key)],
  textOf: () => -1,

  /** A script tells 0 for a claim that fits, and where there is no line. */
  tell({ key }, next, numbers) {
    const end = next();
    if (end > 0) numbers.set(lineKey(key), [end, 0]);
  },

  wait: waitInLine,
  admitted: () => {},

  denied(each, group) {
    const place = take(each);
    const { told } = each.ruling as LinedRuling;
    if (told === undefined || each.claim.shadow || isDeniedLonger(each, group, told)) return;
    publishTold(each, place !== undefined);
    if (place !== undefined) move(each, place);
  },

  peeked: (each) => void take(each),

  waiting(each) {
    const { claim, algorithm, state, ticks: now } = each;
    const policy = claim.policy as LinedPolicy;
    const { end } = standingOf(each);
    if (end <= now) return undefined;
    const exact = algorithm.wait(state, now, policy, 1);
    const units = paceOf(policy.plain)!.told({ policy, now, exact, end });
    return { units, endsAt: Math.ceil((end * policy.tick) / 1e3) };
  },
};

/** A line that keeps the places of requests which bring them back. */
const kept: Beside<LinedPolicy> = {
  ...spread,
  noted: 'text',

  textOf(claim) {
    const { asks, place } = placeNoteOf(claim);
    return asks ? place : -1;
  },

  tell({ key }, next, numbers) {
    numbers.set(lineKey(key), [next(), next()]);
  },
};

/** A line that knows the callers whose places it keeps. */
const called: Beside<LinedPolicy> = {
  ...kept,
  keyCount: 2,
  noted: 'key',

  keysOf(key, claim) {
    const callerKey = claim && placeNoteOf(claim).callerKey;
    return callerKey === undefined ? [lineKey(key)] : [lineKey(key), callerKey];
  },

  tell(claim, next, numbers) {
    kept.tell(claim, next, numbers);
    const place = next();
    const { callerKey } = placeNoteOf(claim);
    if (callerKey !== undefined && place > 0) numbers.set(callerKey, [place]);
  },

  /** A place is worth one request, also where its line has begun again or is over. */
  admitted({ claim, beside }) {
    const { callerKey } = placeNoteOf(claim);
    if (callerKey !== undefined && !claim.shadow && claim.cost > 0) beside.delete(callerKey);
  },
};

export function besideOf({ keep, by }: Pick<LineTerms, 'keep' | 'by'>): Beside<LinedPolicy> {
  if (by) return called;
  return keep > 0 ? kept : spread;
}

/** Tells a claim its place. Undefined for one that moves no line: it fits, or never does, or has come too early. */
function take(each: BesideCandidate): Place | undefined {
  const { claim, algorithm, state, ticks: now, cost, retryAfter: exact } = each;
  if (exact === 0 || exact === NEVER || cost === 0) return undefined;
  const policy = claim.policy as LinedPolicy;
  const { end, isEarly, place: brought, asks, isOpen, owed } = standingOf(each);
  if (isEarly) {
    tellPlace(each, { at: brought, place: brought * policy.tick });
    return undefined;
  }
  const waitFor = (units: number) => algorithm.wait(state, now, policy, units);
  const { beganAgain, ...place } = placeOf(paceOf(policy.plain)!, {
    policy,
    cost,
    now,
    exact,
    end,
    owed,
    state,
    waitFor,
  });
  tellPlace(each, { at: place.at, beganAgain });
  // Those who ask for no place, and poll, would fill the line.
  return policy.line.keep > 0 && !asks && isOpen ? undefined : place;
}

interface ToldPlace {
  readonly at: number;
  readonly beganAgain?: boolean;
  readonly place?: number;
}

function tellPlace(each: BesideCandidate, { at, beganAgain, place }: ToldPlace): void {
  const told: LinedRuling = {
    ...each.ruling!,
    told: at - each.ticks,
    ...(beganAgain && { beganAgain: true }),
    ...(place !== undefined && { place }),
  };
  each.ruling = told;
}

/** The end of the line is behind the claim, whose place is kept if its request comes back with it. */
function move(each: BesideCandidate, { at, end }: Place): void {
  const { claim, beside } = each;
  const { tick, line } = claim.policy as LinedPolicy;
  const key = lineKey(claim.key);
  const { asks, callerKey } = placeNoteOf(claim);
  const [, before = 0] = beside.get(key) ?? [];
  const isKept = asks && line.keep > 0;
  beside.set(key, [end * tick, isKept ? at * tick : before]);
  if (!isKept) return;
  if (callerKey !== undefined) beside.set(callerKey, [at * tick]);
  tellPlace(each, { at, place: at * tick });
}

/** True if another tier still denies the request at its place, so that it will not come then. */
function isDeniedLonger(lined: Candidate, group: readonly Candidate[], told: number): boolean {
  const comes = (lined.ticks + told) * lined.claim.policy.tick;
  return group.some((each) => {
    const { policy, shadow }: Claim = each.claim;
    if (each === lined || shadow || each.retryAfter === 0) return false;
    // What a balance covers, time admits as well; and nobody knows when requests end.
    if (coveredBy(policy) !== undefined || policy.algorithm.endsWithRequest) return false;
    return each.retryAfter === NEVER || (each.ticks + each.retryAfter) * policy.tick > comes;
  });
}
