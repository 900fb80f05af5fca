import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { createLimiter, memoryStore } from '@sluice/core';
import { startMetrics } from '@sluice/opentelemetry';
import { exposeMetrics } from '@sluice/prometheus';
import { register } from 'prom-client';

async function main(): Promise<void> {
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

void main();
