import { algorithmOf } from '../../algorithms/index.js';
import { NONE } from './key-index.js';
import type { KeyTable } from './key-table.js';

const SAMPLES = 8;

/**
 * The key that loses least by being forgotten: of a few drawn at random, the one with the largest share of its budget
 * left. A key that is being denied is never given up, whoever asks for room: NONE if all that were drawn are.
 *
 * @param now microseconds
 * @param spared slots that must stay
 */
export function fullest(table: KeyTable, now: number, spared: readonly number[], random = Math.random): number {
  let found = NONE;
  let most = 0;
  for (let draw = 0; draw < SAMPLES; draw += 1) {
    const slot = table.at(Math.floor(random() * table.size));
    if (spared.includes(slot)) continue;
    const share = shareLeft(table, slot, now);
    if (share <= most) continue;
    found = slot;
    most = share;
  }
  return found;
}

/** Of the whole budget; 0 for a key that would deny one unit. */
function shareLeft(table: KeyTable, slot: number, now: number): number {
  const policy = table.policyOf(slot);
  const algorithm = algorithmOf(policy);
  const ticks = Math.floor(now / policy.tick);
  return algorithm.remaining(algorithm.read(table.stateOf(slot), ticks, policy), ticks, policy) / policy.quota;
}
