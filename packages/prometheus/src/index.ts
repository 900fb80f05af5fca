export { exposeMetrics, type MetricRegistry } from './expose-metrics.js';
export type { RegisteredMetric } from './registered-metric.js';
export type { MetricsOptions, WatchedIdentity } from '@sluice/metrics';
