import { keyKinds } from './key-kinds.js';
import { KeyTable } from './key-table.js';
import type { TierState } from './tier-states.js';

/** Whether nothing is lost with a state but counts. Others, such as credits, are deleted only by the name of their tier. */
export function mayForget({ limiter: { prefix }, inspection: { key } }: TierState): boolean {
  return new KeyTable(keyKinds, [prefix]).find(key)?.kind.loss === 'counts';
}
