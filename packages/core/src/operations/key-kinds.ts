import { algorithmKeys } from '../algorithms/state-keys.js';
import { listKeys } from '../lists/list-keys.js';
import type { KeyKind } from '../model/key-kind.js';
import { quotaKeys } from '../quotas/quota-keys.js';
import { besideKeys } from '../stores/beside-keys.js';
import { dashboardKeys } from './dashboard-keys.js';

/** Every kind of key that this package writes to Redis, and those of dashboards. */
export const keyKinds: readonly KeyKind[] = [
  ...algorithmKeys,
  ...quotaKeys,
  ...besideKeys,
  ...listKeys,
  ...dashboardKeys,
];
