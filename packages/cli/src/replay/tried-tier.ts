import { Trial } from '../limits/trial.js';
import { searchOf } from './limit-search.js';
import { isByRequest, type ReplayTier } from './replayed-request.js';
import type { Selection } from './selection.js';

/** A tier of the limits that are tried, with the requests that its limiter sees. */
export interface TriedTier {
  readonly name: string;
  readonly tier: ReplayTier;
  /** Milliseconds. */
  readonly window: number;
  /** Undefined for a limit that is a function. */
  readonly limit: number | undefined;
  /** The lowest limit that denies no client. Undefined for a limit that is far from denying any, or takes many trials. */
  readonly needs: number | undefined;
  readonly selection: Selection;
}

/** Measures the clients of the tiers of one limiter. */
export async function triedTiers(
  tiers: readonly ReplayTier[],
  selection: Selection,
  signal: AbortSignal,
): Promise<readonly TriedTier[]> {
  if (tiers.length === 0) return [];
  const counts = new Trial(tiers).tiers;
  const tried: TriedTier[] = [];
  for (const { name, window, limit } of counts) {
    const tier = tiers.find((each) => each.name === name)!;
    const needs = limit === undefined ? undefined : await needsOf({ selection, tier, window, signal }, limit);
    tried.push({ name, tier, window, limit, needs, selection });
  }
  return tried;
}

interface NeedsSetup extends Pick<TriedTier, 'selection' | 'tier' | 'window'> {
  readonly signal: AbortSignal;
}

async function needsOf({ selection, tier, window, signal }: NeedsSetup, limit: number): Promise<number | undefined> {
  // A tier by window counts at most twice what a client sends.
  const isFar = selection.clients.every((client) => selection.mostIn(window, client) <= limit / 2);
  if (isByRequest(tier) || isFar) return undefined;
  const search = searchOf(selection, tier, signal);
  return search.isQuick ? (await search.find(selection.clients, 0)).limit : undefined;
}
