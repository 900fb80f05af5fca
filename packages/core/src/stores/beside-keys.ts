import type { KeyKind } from '../model/key-kind.js';

/** What a store writes to Redis in addition to states. */
export const besideKeys: readonly KeyKind[] = [
  { name: 'recorded texts', pattern: '<owner>:<tier>:<shape>:notes', type: 'list', loss: 'texts' },
  // Denied clients are told the front again, once.
  { name: 'line', pattern: '<owner>:<tier>:<shape>:line', type: 'string', loss: 'nothing' },
  { name: 'place in line', pattern: '<owner>:<tier>:<shape>:line:<name>', type: 'string', loss: 'nothing' },
  { name: 'probe', pattern: '{<tag>}:probe', type: 'string', loss: 'nothing' },
];
