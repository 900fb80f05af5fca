// @sluice/metrics measures decisions, calls, stores and the features in use, for any backend of metrics. Events and the
// limiters of a store enter, and points leave. It imports @sluice/core, @sluice/http and @sluice/quotas.
export type { AttributeValues, CallTrace, ConsumeTrace, Instrument } from '@sluice/core/internal';
export { attributes, type AttributeName } from './attributes.js';
export { errorType } from './error-type.js';
export type { Distribution } from './histogram.js';
export { instruments, type InstrumentName } from './instruments.js';
export { collectMetrics, type Metrics, type MetricsOptions } from './metrics.js';
export type { HistogramPoint, NumberPoint, OnValue, Point } from './point.js';
export type { WatchedPolicies } from './policies-metrics.js';
export { prometheusLabel, prometheusName } from './prometheus-name.js';
export type { WatchedIdentity } from './watched-metrics.js';
