// The entry point for the export of usage: docs/reference/usage.md. A program without it loads none of this.
export type { UsageExportStatus } from '../model/usage.js';
export { exportUsage, type UsageExport, type UsageExportOptions } from './export-usage.js';
export type { UsageRow, UsageSink } from './usage-row.js';
