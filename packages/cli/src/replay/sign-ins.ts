import type { Demand } from './demand.js';
import { SIGN_IN } from './kinds/request-flags.js';
import { countKinds, type KindCounts } from './curve.js';
import { searchOf } from './limit-search.js';
import type { ReplayTier } from './replayed-request.js';

/** What a limit of sign-ins by itself would do. */
export interface SignInAdvice {
  /** The path of most of them. */
  readonly path: string;
  readonly requests: number;
  /** Answered with 4xx. */
  readonly refused: number;
  readonly of: KindCounts;
  readonly limit: number;
  /** Clients that the limit denies. */
  readonly denied: KindCounts;
}

/** A person does not mistype a password more often. */
const LIMIT = 5;
const TIER = { name: 'sign-in', limit: LIMIT, window: '1m' } as ReplayTier;

/** Undefined for a log without sign-ins. */
export async function signInsOf(demand: Demand, signal: AbortSignal): Promise<SignInAdvice | undefined> {
  const path = demand.signs.forms.signInPath;
  if (path === undefined) return undefined;
  const selection = demand.select(SIGN_IN, SIGN_IN);
  const search = searchOf(selection, TIER, signal);
  const denied = await search.deniedBy(selection.clients, LIMIT);
  const refused = selection.clients.reduce((sum, { index }) => sum + demand.signs.of(index).failedSignIns, 0);
  return {
    path,
    requests: selection.size,
    refused,
    of: countKinds(selection.clients),
    limit: LIMIT,
    denied: countKinds(denied),
  };
}
