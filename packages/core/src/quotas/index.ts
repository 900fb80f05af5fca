// The entry point for credits, notices and usage: docs/reference/quotas.md. A program without them does not load it.
import { addAlgorithm } from '../algorithms/algorithms.js';
import { openQuotas } from '../algorithms/quota-policies.js';
import { balance } from './credits/balance.js';
import { quotaRoom } from './quota-room.js';

addAlgorithm(balance);
openQuotas(quotaRoom);

export {
  creditsOf,
  type CreditOptions,
  type CreditResult,
  type Credits,
  type ReconcileOptions,
} from './credits/credits-of.js';
export { exportUsage, type UsageExport, type UsageExportOptions } from './usage/export-usage.js';
export type { UsageExportStatus } from '../model/usage.js';
export {
  usageOf,
  type HourOfUsage,
  type IdentityUsageOptions,
  type TierUsage,
  type Usage,
  type UsageOptions,
} from './usage/usage-of.js';
export type { UsageRow, UsageSink } from './usage/usage-row.js';
