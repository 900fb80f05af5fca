import type { Explanation, Key, LimiterView, TierView } from '@sluice/core';
import { usage } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';
import { parseIdentity, type TypedIdentity } from './identity.js';

/** Options of the commands about a client. */
export interface ClientOptions {
  readonly tier?: readonly string[];
  readonly cost?: number;
  readonly limit?: number;
  readonly partition?: string;
}

/** A tier, and what it has of a client. */
export interface TierState {
  readonly limiter: LimiterView;
  readonly tier: TierView;
  readonly explanation: Explanation;
  /** False for a limit by request without `--limit`: then only the key of the explanation counts. */
  readonly isLimitKnown: boolean;
}

/**
 * Reads what the tiers have of a client. No command knows the kind of a tier's keys, so all are read.
 *
 * @throws Failure for a tier that does not exist, or that needs a partition
 */
export async function readStates(
  limiters: readonly LimiterView[],
  { key }: TypedIdentity,
  options: ClientOptions,
): Promise<readonly TierState[]> {
  checkTiers(limiters, options);
  const states = await Promise.all(limiters.map((limiter) => statesIn(limiter, key, options)));
  // Limiters may share a tier.
  return [...new Map(states.flat().map((state) => [state.explanation.key || state.tier, state])).values()];
}

async function statesIn(limiter: LimiterView, key: Key, options: ClientOptions): Promise<readonly TierState[]> {
  const { tier: named, cost, limit, partition } = options;
  if (limiter.isPartitioned && partition === undefined) return [];
  const read = async (tiers: readonly TierView[], isLimitKnown: boolean): Promise<readonly TierState[]> => {
    if (tiers.length === 0) return [];
    const explained = await limiter.explain(key, {
      tiers: tiers.map(({ name }) => name),
      cost,
      // A state is found at any limit that the tier allows.
      limit: limit ?? tiers[0]!.policy.limit,
      partition: partition === undefined ? undefined : parseIdentity(partition),
    });
    return tiers.map((tier, index) => ({ limiter, tier, explanation: explained[index]!, isLimitKnown }));
  };
  const tiers = limiter.tiers.filter(({ name }) => named?.includes(name) ?? true);
  const isOpen = (tier: TierView) => tier.limit === 'by-request' && limit === undefined;
  // One call, so that these states are of one moment.
  const known = read(
    tiers.filter((tier) => !isOpen(tier)),
    true,
  );
  const open = tiers.filter(isOpen).map((tier) => read([tier], false));
  return (await Promise.all([known, ...open])).flat();
}

/** The tiers to show: those with a state, or the named ones. */
export function shownOf(states: readonly TierState[], { tier }: ClientOptions): readonly TierState[] {
  return states.filter(({ explanation, isLimitKnown }) => isLimitKnown && (tier !== undefined || explanation.isStored));
}

/** Notes of what a command cannot know. */
export function noteGaps(
  terminal: Terminal,
  limiters: readonly LimiterView[],
  states: readonly TierState[],
  options: ClientOptions,
): void {
  const open = states.filter(({ isLimitKnown, explanation }) => !isLimitKnown && explanation.isStored);
  for (const { tier } of open) {
    terminal.note(`${tier.name} has a state, and its limit is a function: pass the limit of this client as --limit`);
  }
  if (limiters.some(({ tiers }) => tiers.length === 0)) {
    terminal.note(
      'a limiter chooses its tiers by request: its plans are not known here, unless the configuration uses them',
    );
  }
  const partitioned = limiters.filter(({ isPartitioned }) => isPartitioned && options.partition === undefined);
  const names = partitioned.flatMap(({ tiers }) => tiers.map(({ name }) => name));
  if (names.length > 0) terminal.note(`not read, because they need --partition: ${names.join(', ')}`);
}

function checkTiers(limiters: readonly LimiterView[], { tier: named = [], partition }: ClientOptions): void {
  const names = limiters.flatMap(({ tiers }) => tiers.map(({ name }) => name));
  const unknown = named.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw usage(`--tier ${unknown}: the configuration has ${[...new Set(names)].join(', ') || 'no tiers'}`);
  }
  const partitioned = limiters.find(
    ({ isPartitioned, tiers }) => isPartitioned && tiers.some(({ name }) => named.includes(name)),
  );
  if (partitioned && partition === undefined) throw usage('--partition must name the partition of the client');
}
