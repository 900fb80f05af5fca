import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { startMetrics } from '@sluice/opentelemetry';
import { sluiceAlerts } from '../monitoring/alerts.js';
import { monitoringFiles } from '../monitoring/files.js';
import { defaults, type Settings } from '../monitoring/settings.js';
import { withRedisStore } from '../support/redis-store.js';
import { siteOpener } from '../support/site.js';
import { openEveryFeature, overload } from './every-feature.js';
import { startPrometheus } from './prometheus-server.js';
import { alertQueries, panelQueries } from './queries.js';

describe('Prometheus, with the names of the JavaScript SDK', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  const open = siteOpener();
  const settings: Settings = { ...defaults, names: 'otel-js' };
  const stops: (() => unknown)[] = [() => metrics.disable()];

  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  it('has data for each panel and alert', async () => {
    const queue = {
      name: 'queue',
      key: () => 'all',
      limit: 20,
      window: '1s',
      algorithm: 'leaky-bucket',
      queue: 2,
    } as const;
    const features = await openEveryFeature({ store: redis.store, shared: redis.store, tiers: [queue] });
    const exporter = new PrometheusExporter({ preventServerStart: true });
    const provider = new MeterProvider({ readers: [exporter] });
    metrics.setGlobalMeterProvider(provider);
    stops.push(
      () => features.stop(),
      () => provider.shutdown(),
      startMetrics({ stores: { main: redis.store }, top: 2, ...features.measured }),
    );
    const { port } = await open((request, response) => exporter.getMetricsRequestHandler(request, response));
    const prometheus = await startPrometheus({ shop: port });
    stops.push(() => prometheus.stop());

    await overload();
    const visits = setInterval(() => void Promise.all([features.limiter.consume({}), features.use()]), 10);
    stops.push(() => clearInterval(visits));
    for (let scrape = 0; scrape < 6; scrape += 1) await prometheus.scraped();
    const emptyPanels = await prometheus.withoutData(panelQueries(monitoringFiles(settings)['sluice-dashboard.json']!));
    const emptyAlerts = await prometheus.withoutData(alertQueries(sluiceAlerts(settings)));

    expect(emptyPanels).toEqual([]);
    expect(emptyAlerts).toEqual([]);
  });
});
