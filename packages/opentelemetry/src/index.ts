export { startMetrics } from './start-metrics.js';
export { startTraces, type TracesOptions } from './start-traces.js';
export type { MetricsOptions, WatchedIdentity } from '@sluice/metrics';
