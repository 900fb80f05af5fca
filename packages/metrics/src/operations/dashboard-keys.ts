import type { KeyKind } from '@sluice/core/internal';

/** What dashboards write to Redis. It is described here, because the command line does not install a dashboard. */
export const dashboardKeys: readonly KeyKind[] = [
  { name: 'open page', pattern: '{~fleet}:watched', type: 'string', loss: 'nothing' },
  { name: 'processes with a dashboard', pattern: '{~fleet}:processes', type: 'list', loss: 'nothing' },
  { name: 'summary of a process', pattern: '{~fleet}:<process>', type: 'string', loss: 'nothing' },
];
