import { algorithmKeys, besideKeys, type KeyKind } from '@sluice/core/internal';
import { listKeys } from '@sluice/http/internal';
import { quotaKeys } from '@sluice/quotas/internal';
import { dashboardKeys } from './dashboard-keys.js';

/** Every kind of key that this package writes to Redis, and those of dashboards. */
export const keyKinds: readonly KeyKind[] = [
  ...algorithmKeys,
  ...quotaKeys,
  ...besideKeys,
  ...listKeys,
  ...dashboardKeys,
];
