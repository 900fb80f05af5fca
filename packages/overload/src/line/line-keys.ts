import type { KeyKind } from '@sluice/core/internal';

/** What lines write to Redis. Where it is lost, denied clients are told the front again, once. */
export const lineKeys: readonly KeyKind[] = [
  { name: 'line', pattern: '<owner>:<tier>:<shape>:line', type: 'string', loss: 'nothing' },
  { name: 'place in line', pattern: '<owner>:<tier>:<shape>:line:<name>', type: 'string', loss: 'nothing' },
];
