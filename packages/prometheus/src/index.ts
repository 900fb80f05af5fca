// @sluice/prometheus gives the points of @sluice/metrics to a registry of prom-client. A registry and stores enter. It
// imports @sluice/core and @sluice/metrics.
export { exposeMetrics, type MetricRegistry } from './expose-metrics.js';
export type { RegisteredMetric } from './registered-metric.js';
export type { MetricsOptions, WatchedIdentity } from '@sluice/metrics';
