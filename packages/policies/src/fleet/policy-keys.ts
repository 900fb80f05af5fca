import type { KeyKind } from '@sluice/metrics/operations';

/** What limits in Redis are stored as, and who has changed what. */
export const policyKeys: readonly KeyKind[] = [
  { name: 'policies', pattern: '{~policies}:<name>', type: 'hash', stays: true, loss: 'limits' },
  { name: 'history of policies', pattern: '{~policies}:<name>:history', type: 'list', stays: true, loss: 'history' },
  { name: 'overrides', pattern: '{~policies}:<name>:overrides', type: 'hash', stays: true, loss: 'limits' },
  { name: 'changes of policies', pattern: '{~policies}:<name>:changes', type: 'list', stays: true, loss: 'history' },
  { name: 'processes with policies', pattern: '{~policies}:<name>:processes', type: 'hash', loss: 'nothing' },
  { name: 'acts on overrides', pattern: '{~policies}:<name>:acts:<tag>', type: 'list', loss: 'texts' },
  { name: 'acts on a client', pattern: '<owner>:acts', type: 'list', loss: 'texts' },
  { name: 'acts on a store', pattern: '{~audit}:acts', type: 'zset', stays: true, loss: 'texts' },
];
