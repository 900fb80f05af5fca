import { beside, hasBeside } from '../algorithms/beside.js';
import { candidate, peekGroup } from '../algorithms/group.js';
import type { Claim } from '../model/claim.js';
import type { Inspection } from '../model/inspection.js';
import { NEVER } from '../model/ruling.js';
import { toOutcome } from './answer.js';
import type { AbleStore, LegibleStore, Reading, Store } from './store.js';

type Seen = Omit<Inspection, 'recorded'>;

/** What a store has for claims, and what follows from it, in the order of the claims. */
export async function inspectionsOf(store: AbleStore, claims: readonly Claim[]): Promise<readonly Inspection[]> {
  if (claims.length === 0) return [];
  const seen = isLegible(store) ? await read(store, claims) : await peek(store, claims);
  return Promise.all(
    claims.map(async ({ key }, index) => ({ ...seen[index]!, recorded: (await store.recorded?.(key)) ?? [] })),
  );
}

function isLegible(store: Store): store is LegibleStore {
  return typeof (store as Partial<LegibleStore>).read === 'function';
}

async function read(store: LegibleStore, claims: readonly Claim[]): Promise<readonly Seen[]> {
  const readings = await store.read(claims);
  return claims.map((claim, index) => seenIn(claim, readings[index]!));
}

function seenIn(claim: Claim, { now, state, beside: numbers }: Reading): Seen {
  const { key, policy } = claim;
  const decided = candidate(claim, state, numbers);
  peekGroup([decided], now);
  const waiting = hasBeside(decided) ? beside.of(policy)!.waiting(decided) : undefined;
  return {
    outcome: toOutcome(claim, decided.ruling!),
    key,
    policy,
    isStored: state !== undefined,
    readAt: now / 1e3,
    fitsAt: fitsAt(decided, now / 1e3, policy.tick),
    terms: decided.algorithm.terms(decided.state, decided.ticks, policy, claim.cost),
    ...(waiting !== undefined && { waiting }),
  };
}

/** Rounded up, because a millisecond before it the request does not fit. */
function fitsAt({ ticks, retryAfter }: { ticks: number; retryAfter: number }, now: number, tick: number): number {
  if (retryAfter === NEVER) return Infinity;
  return retryAfter === 0 ? now : Math.ceil(((ticks + retryAfter) * tick) / 1e3);
}

/** A store of an application shows no states: its answer says when the request fits. */
async function peek(store: Store, claims: readonly Claim[]): Promise<readonly Seen[]> {
  const { outcomes } = await store.peek(claims);
  const readAt = Date.now();
  return outcomes.map((outcome, index) => {
    const { key, policy } = claims[index]!;
    const { retryAfter, resetAfter } = outcome;
    const fits = Math.ceil(readAt + retryAfter);
    return { outcome, key, policy, isStored: resetAfter > 0, readAt, fitsAt: fits, terms: undefined };
  });
}
