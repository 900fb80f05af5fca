// The entry point for the export of usage: docs/reference/usage.md. A program without it loads none of this.
export { exportUsage, type UsageExport, type UsageExportOptions, type UsageExportStatus } from './export-usage.js';
export type { UsageRow, UsageSink } from './usage-row.js';
