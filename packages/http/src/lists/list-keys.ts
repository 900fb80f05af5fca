import type { KeyKind } from '@sluice/core/internal';

/** What a list of addresses writes to Redis. A process that knows the list writes back what Redis has lost. */
export const listKeys: readonly KeyKind[] = [
  { name: 'list', pattern: '{<name>}:list', type: 'hash', stays: true, loss: 'addresses' },
  // The next change makes it again, and processes then read the whole list.
  { name: 'changes of a list', pattern: '{<name>}:list-log', type: 'zset', stays: true, loss: 'nothing' },
];
