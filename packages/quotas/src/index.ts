// @sluice/quotas adds balances, notices and usage to limits (docs/reference/quotas.md). Options of tiers enter, and a
// program without them does not load it. It imports @sluice/core.
export type { ImportedAlgorithm, Notices, UsageExportStatus } from '@sluice/core/internal';
export type { Balance } from './credits/balance.js';
export { balance, type BalanceOptions } from './credits/balance-option.js';
export type {
  ActOptions,
  BalanceChoice,
  CreditOptions,
  DebitOptions,
  IdentityChoice,
  ReconcileOptions,
} from './credits/call-options.js';
export type { CreditResult, DebitResult } from './credits/balance-calls.js';
export { creditsOf, type Credits } from './credits/credits-of.js';
export { endGrants, type GrantEnds, type GrantEndsOptions, type GrantEndsStatus } from './ends/end-grants.js';
export { lowBalanceEvent, type LowBalance, type OnLowBalance } from './credits/low-balance.js';
export type { Posting } from './credits/posting.js';
export { notices } from './notices/notices-option.js';
export { quotas } from './quotas.js';
export { exportUsage, type UsageExport, type UsageExportOptions } from './usage/export-usage.js';
export { usage, type CountedUsage } from './usage/usage-option.js';
export {
  usageOf,
  type HourOfUsage,
  type IdentityUsageOptions,
  type TierUsage,
  type Usage,
  type UsageOptions,
} from './usage/usage-of.js';
export type { KeptRow, KeptRows } from './usage/kept-rows.js';
export type { BillingSink, SinkContext, UsageRow, UsageSink } from './usage/usage-row.js';
