import { candidate, peekGroup } from '../algorithms/group.js';
import { termsOf } from '../algorithms/terms.js';
import type { Claim } from '../model/claim.js';
import { UsageError } from '../model/errors.js';
import type { Explanation } from '../model/inspection.js';
import { NEVER } from '../model/ruling.js';
import { toOutcome } from './answer.js';
import type { LegibleStore, Reading, Store } from './store.js';

/**
 * What a store has for claims, and what follows from it, in the order of the claims.
 *
 * @throws UsageError, as a rejection, for a store that does not show its states
 */
export async function explain(store: Store, claims: readonly Claim[]): Promise<readonly Explanation[]> {
  if (claims.length === 0) return [];
  if (!isLegible(store)) {
    throw new UsageError('USAGE_INVALID', 'explain: the store must be a memoryStore() or a redisStore()');
  }
  const readings = await store.read(claims);
  return Promise.all(
    claims.map(async (claim, index) => ({
      ...explanationOf(claim, readings[index]!),
      recorded: await store.inspect(claim.key),
    })),
  );
}

function isLegible(store: Store): store is LegibleStore {
  return typeof (store as Partial<LegibleStore>).read === 'function';
}

function explanationOf(claim: Claim, { now, state }: Reading): Omit<Explanation, 'recorded'> {
  const { key, policy } = claim;
  const decided = candidate(claim, state);
  peekGroup([decided], now);
  return {
    outcome: toOutcome(claim, decided.ruling!),
    key,
    policy,
    isStored: state !== undefined,
    readAt: now / 1e3,
    fitsAt: fitsAt(decided, now / 1e3, policy.tick),
    terms: termsOf(decided.state, decided.ticks, claim),
  };
}

/** Rounded up, because a millisecond before it the request does not fit. */
function fitsAt({ ticks, retryAfter }: { ticks: number; retryAfter: number }, now: number, tick: number): number {
  if (retryAfter === NEVER) return Infinity;
  return retryAfter === 0 ? now : Math.ceil(((ticks + retryAfter) * tick) / 1e3);
}
