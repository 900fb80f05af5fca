import type { KeyKind } from '../model/key-kind.js';

/** What a store writes to Redis in addition to states. */
export const besideKeys: readonly KeyKind[] = [
  { name: 'recorded texts', pattern: '<owner>:<tier>:<shape>:notes', type: 'list', loss: 'texts' },
  { name: 'probe', pattern: '{<tag>}:probe', type: 'string', loss: 'nothing' },
];
