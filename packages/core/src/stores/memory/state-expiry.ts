import { algorithmOf } from '../../algorithms/algorithm.js';
import { type KeyRecords, SHIFT } from './key-records.js';

/** When the state in a slot is as good as none, in microseconds. */
export function expiresAt(records: KeyRecords, slot: number): number {
  const policy = records.policyOf(slot);
  return algorithmOf(policy).expiresAt(records.stateOf(slot), policy) * policy.tick;
}

/** When all states of a row are as good as none. */
export function rowExpiresAt(records: KeyRecords, row: number): number {
  let latest = 0;
  for (let slot = row << SHIFT; slot < (row << SHIFT) + records.states; slot += 1) {
    if (records.holds(slot)) latest = Math.max(latest, expiresAt(records, slot));
  }
  return latest;
}
