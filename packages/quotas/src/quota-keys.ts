import { type KeyKind, stateKeys } from '@sluice/core/internal';

/** What credits and usage write to Redis. */
export const quotaKeys: readonly KeyKind[] = [
  stateKeys('balance', 'ba', { type: 'hash', stays: true, loss: 'credits' }),
  { name: 'usage', pattern: '<owner>:<tier>:used', type: 'hash', loss: 'usage' },
  {
    name: 'usage of version 0.2.0',
    pattern: '<owner>:<tier>:<shape>:usage',
    type: 'hash',
    loss: 'usage',
    former: true,
  },
  // The next export finds it again by a scan.
  { name: 'open usage', pattern: '{~usage}:open', type: 'zset', loss: 'nothing' },
  { name: 'export lock', pattern: '{~usage}:lock', type: 'string', loss: 'nothing' },
  // Its number would be lost, for which the next export takes the time, and the age of the last export.
  { name: 'exports', pattern: '{~usage}:exports', type: 'hash', stays: true, loss: 'nothing' },
];
