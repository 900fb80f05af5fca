// @sluice/opentelemetry translates events and points to the OpenTelemetry API. Events of a process enter, and spans and
// metrics leave. It imports @sluice/core, @sluice/http and @sluice/metrics.
export { startMetrics } from './start-metrics.js';
export { startTraces, type TracesOptions } from './start-traces.js';
export type { MetricsOptions, WatchedIdentity } from '@sluice/metrics';
