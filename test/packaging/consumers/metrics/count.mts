import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type * as Core from '@sluice/core';
import type * as OpenTelemetry from '@sluice/opentelemetry';
import type * as Prometheus from '@sluice/prometheus';
import { register } from 'prom-client';

type Modules = Pick<typeof Core, 'createLimiter' | 'memoryStore'> &
  Pick<typeof OpenTelemetry, 'startMetrics'> &
  Pick<typeof Prometheus, 'exposeMetrics'>;

/** Prints what both readers have counted of three requests. */
export async function count({ createLimiter, memoryStore, startMetrics, exposeMetrics }: Modules): Promise<void> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

  const store = memoryStore();
  exposeMetrics(register, { stores: { main: store } });
  startMetrics({ stores: { main: store } });
  const limiter = createLimiter({ store, name: 'api', key: () => 'all', limit: 2, window: '1h' });
  for (let request = 0; request < 3; request++) await limiter.consume({});

  const page = await register.metrics();
  await reader.forceFlush();
  const exported = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics);
  const units = exported.find(({ descriptor }) => descriptor.name === 'sluice.tier.units');
  await reader.shutdown();

  console.log(
    JSON.stringify({
      prometheus: page.split('\n').filter((line) => line.startsWith('sluice_tier_units')),
      opentelemetry: units?.dataPoints.map(({ attributes, value }) => ({ attributes, value })),
    }),
  );
}
