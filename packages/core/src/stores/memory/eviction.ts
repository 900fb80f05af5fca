import { algorithms } from '../../algorithms/algorithms.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';

const SAMPLED_KEYS = 8;

/**
 * The key to evict: of a few random keys the one with the largest share of its budget left, which loses least. Never a
 * key that denies one unit, because a client could flood the store to be admitted again: NONE if all of them deny.
 *
 * @param now microseconds
 * @param spared slots that must stay
 */
export function pickVictim(table: KeyTable, now: number, spared: readonly number[], random = Math.random): number {
  let victim = NONE;
  let largest = 0;
  for (let sample = 0; sample < SAMPLED_KEYS; sample += 1) {
    const slot = table.at(Math.floor(random() * table.size));
    if (spared.includes(slot)) continue;
    const share = shareLeft(table, slot, now);
    if (share <= largest) continue;
    victim = slot;
    largest = share;
  }
  return victim;
}

/** The part of the budget that is left: 0 for a key that denies one unit, or whose units are held. */
function shareLeft(table: KeyTable, slot: number, now: number): number {
  const policy = table.policyOf(slot);
  const algorithm = algorithms[policy.algorithm];
  const ticks = Math.floor(now / policy.tick);
  const remaining = algorithm.remaining(algorithm.read(table.stateOf(slot), ticks, policy), ticks, policy);
  // To forget a key would be to forget what runs.
  if (policy.held && remaining < policy.limit) return 0;
  // After `settle` the policy holds an overdraft too, which no request may spend.
  const overdraft = Math.max(0, policy.capacity - policy.quota);
  // A backoff may have no free strikes.
  return policy.quota === 0 ? 0 : (remaining - overdraft) / policy.quota;
}
