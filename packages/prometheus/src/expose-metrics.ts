import { ConfigError } from '@sluice/core';
import { collectMetrics, type MetricsOptions } from '@sluice/metrics';
import { RegisteredMetric } from './registered-metric.js';

/** What a registry of prom-client 15, or of its successor `@prometheus-io/client`, offers. */
export interface MetricRegistry {
  // As a method, so that a registry which takes more than this fits too.
  registerMetric(metric: never): void;
  removeSingleMetric(name: string): void;
}

/**
 * Puts the metrics of this process' limiters into your registry: the page that serves it has them too.
 *
 * @param registry such as `register` of prom-client
 * @param options stores by the names that they get in metrics, and what else to show
 * @returns removes the metrics and stops counting
 * @throws ConfigError OPTION_INVALID, OPTION_UNKNOWN
 * @throws Error of the registry, if it has these metrics already
 * @example
 * import { register } from 'prom-client';
 *
 * const stop = exposeMetrics(register, { stores: { main: store } });
 */
export function exposeMetrics(registry: MetricRegistry, options: MetricsOptions = {}): () => void {
  checkRegistry(registry);
  const metrics = collectMetrics(options);
  const names: string[] = [];
  let end = () => {};
  const stop = () => {
    end();
    metrics.stop();
    // Once: later the registry may have metrics of another call.
    for (const name of names.splice(0)) registry.removeSingleMetric(name);
  };
  try {
    end = metrics.onInstrument((instrument) => {
      const metric = new RegisteredMetric(instrument, metrics);
      registry.registerMetric(metric as never);
      names.push(metric.name);
    });
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

/** @throws ConfigError OPTION_INVALID */
function checkRegistry(registry: Partial<MetricRegistry> | undefined): void {
  if (typeof registry?.registerMetric === 'function') return;
  const rule = 'must be a registry of prom-client: write exposeMetrics(register), with its register';
  throw new ConfigError('OPTION_INVALID', 'registry', undefined, `exposeMetrics: registry ${rule}`);
}
