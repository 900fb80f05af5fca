import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { createLimiter, createWebGate } from '@sluice/http';
import { ipList } from '@sluice/http/lists';
import { overridesOf } from '@sluice/policies/overrides';
import { exportUsage } from '@sluice/quotas';
import { shedder } from '@sluice/overload';
import { line } from '@sluice/overload/line';
import { queueDelay } from '@sluice/overload/queues';
import { startMetrics } from '@sluice/opentelemetry';
import { openPolicies } from '@sluice/policies';
import { sluiceAlerts } from '../monitoring/alerts.js';
import { monitoringFiles } from '../monitoring/files.js';
import { defaults, type Settings } from '../monitoring/settings.js';
import { withRedisStore } from '../support/redis-store.js';
import { siteOpener } from '../support/site.js';
import { fileOfPolicies } from './file-of-policies.js';
import { startPrometheus } from './prometheus-server.js';
import { alertQueries, panelQueries } from './queries.js';
import { balance, notices, usage } from '@sluice/quotas';

describe('Prometheus, with the names of the JavaScript SDK', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  const open = siteOpener();
  const settings: Settings = { ...defaults, names: 'otel-js' };
  const stops: (() => unknown)[] = [() => metrics.disable()];

  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  it('has data for each panel and alert', async () => {
    const limiter = createLimiter({
      store: redis.store,
      tiers: [
        { name: 'queue', key: () => 'all', limit: 20, window: '1s', algorithm: 'leaky-bucket', queue: 2 },
        { name: 'trial', key: () => 'all', limit: 5, window: '1h', mode: 'shadow' },
        {
          name: 'month',
          key: () => 'all',
          algorithm: 'fixed-window',
          limit: 1e9,
          period: 'month',
          notices: notices(0.9),
          usage: usage(),
        },
        { name: 'running', key: () => 'all', algorithm: 'concurrency', limit: 10_000 },
        { name: 'credits', key: () => 'all', algorithm: balance({ covers: ['trial'] }) },
      ],
    });
    const blocked = ipList({ name: 'blocked', store: redis.store });
    await blocked.ready();
    const exporter = new PrometheusExporter({ preventServerStart: true });
    const provider = new MeterProvider({ readers: [exporter] });
    metrics.setGlobalMeterProvider(provider);
    const watch = [{ name: 'partner', limiter, identity: 'all' }];
    overridesOf(limiter).set({ tier: 'trial', identity: 'all', limit: 9, reason: 'a try' });
    const policies = await openPolicies(fileOfPolicies());
    const billing = exportUsage(redis.store, { sink: () => undefined });
    await billing.run();
    stops.push(
      () => billing.close(),
      () => blocked.close(),
      () => policies.close(),
      () => provider.shutdown(),
      startMetrics({ stores: { main: redis.store }, top: 2, watch, policies: { limits: policies } }),
    );
    const { port } = await open((request, response) => exporter.getMetricsRequestHandler(request, response));
    const prometheus = await startPrometheus({ shop: port });
    stops.push(() => prometheus.stop());

    // A queue measures while somebody waits.
    const database = queueDelay('database', { max: 1 });
    for (const _ of [1, 2]) database.wait(() => new Promise(() => {})).catch(() => {});
    const gate = createWebGate({ limit: 9, window: '1m', shed: shedder() });
    await gate.run(new Request('http://localhost/'), { ip: '203.0.113.7' }, () => new Response('hello'));
    const lined = createLimiter<unknown>({
      store: redis.store,
      tiers: [
        {
          name: 'shared',
          key: () => 'all',
          algorithm: 'token-bucket',
          limit: 3,
          window: '1h',
          line: line({ longest: '1h', by: () => 'worker' }),
        },
      ],
    });
    const visits = setInterval(() => void Promise.all([limiter.consume({}), lined.consume({})]), 10);
    stops.push(() => clearInterval(visits));
    for (let scrape = 0; scrape < 6; scrape += 1) await prometheus.scraped();
    const emptyPanels = await prometheus.withoutData(panelQueries(monitoringFiles(settings)['sluice-dashboard.json']!));
    const emptyAlerts = await prometheus.withoutData(alertQueries(sluiceAlerts(settings)));

    expect(emptyPanels).toEqual([]);
    expect(emptyAlerts).toEqual([]);
  });
});
