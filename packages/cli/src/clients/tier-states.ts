import type { LimiterView } from '@sluice/core';
import { parseIdentity, tierStates, type TierState } from '@sluice/core/operations';
import { usage } from '../failure.js';
import type { Terminal } from '../terminal/terminal.js';
import type { TypedIdentity } from './identity.js';

/** Options of the commands about a client. */
export interface ClientOptions {
  readonly tier?: readonly string[];
  readonly cost?: number;
  readonly limit?: number;
  readonly partition?: string;
}

/**
 * Reads what the tiers have of a client.
 *
 * @throws Failure for a tier that does not exist, or that needs a partition
 */
export async function readStates(
  limiters: readonly LimiterView[],
  { key }: TypedIdentity,
  options: ClientOptions,
): Promise<readonly TierState[]> {
  checkTiers(limiters, options);
  const { tier, cost, limit, partition } = options;
  return tierStates(limiters, key, {
    tiers: tier,
    cost,
    limit,
    partition: partition === undefined ? undefined : parseIdentity(partition),
  });
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
    terminal.note(
      `${tier.name} has a state, and its limit depends on the request: pass the limit of this client as --limit`,
    );
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
