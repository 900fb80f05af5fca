// billing/ has sinks for exports of usage, as the entry @sluice/quotas/billing (docs/guide/billing.md). Rows of usage enter,
// and requests to billing services leave. It imports usage.
export { openMeter, type OpenMeterOptions, type UsageOwner } from './open-meter.js';
export type { SqlClient } from './sql-client.js';
export { stripeMeter, type StripeMeterOptions } from './stripe-meter.js';
export type { UsageChange } from './usage-changes.js';
export { usageTable, type UsageTable, type UsageTableOptions } from './usage-table.js';
