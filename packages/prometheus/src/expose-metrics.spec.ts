import * as successor from '@prometheus-io/client';
import { createLimiter, memoryStore, type MemoryStore } from '@sluice/core';
import { fakeClock } from '@sluice/testing';
import * as promClient from 'prom-client';
import { exposeMetrics, type MetricRegistry } from './expose-metrics.js';

const clients = [
  ['prom-client', promClient],
  ['@prometheus-io/client', successor as unknown as typeof promClient],
] as const;

function createQueue(store: MemoryStore) {
  return createLimiter({
    store,
    name: 'mail',
    key: () => 'all',
    algorithm: 'leaky-bucket',
    limit: 10,
    window: '1s',
    queue: 3,
  });
}

/** The lines of a page that hold numbers. */
function samplesOf(page: string): string[] {
  return page.split('\n').filter((line) => line.startsWith('sluice_'));
}

describe.each(clients)('exposeMetrics, with %s,', (_name, { AggregatorRegistry, Counter, Registry }) => {
  let registry: promClient.Registry;
  let store: MemoryStore;
  let stop: () => void;

  beforeEach(() => {
    registry = new Registry();
    // The clock stands still, so the waits are 100 to 300 ms however late the requests are.
    store = memoryStore({ clock: fakeClock() });
    stop = exposeMetrics(registry, { stores: { main: store } });
  });

  afterEach(() => stop());

  it('puts counters, gauges and histograms on the page of the registry', async () => {
    const limiter = createQueue(store);
    for (let request = 0; request < 5; request += 1) await limiter.consume({});

    const page = await registry.metrics();

    expect(samplesOf(page)).toEqual(
      expect.arrayContaining([
        'sluice_decisions_total{sluice_reason="ok",sluice_source="memory"} 4',
        'sluice_decisions_total{sluice_reason="denied",sluice_source="memory"} 1',
        'sluice_tier_outcomes_total{sluice_tier="mail",sluice_outcome="over",sluice_shadow="false"} 1',
        'sluice_tier_units_total{sluice_tier="mail"} 4',
        'sluice_tier_delay_seconds_bucket{sluice_tier="mail",le="0.075"} 0',
        'sluice_tier_delay_seconds_bucket{sluice_tier="mail",le="0.1"} 1',
        'sluice_tier_delay_seconds_bucket{sluice_tier="mail",le="0.25"} 2',
        'sluice_tier_delay_seconds_bucket{sluice_tier="mail",le="+Inf"} 3',
        'sluice_tier_delay_seconds_count{sluice_tier="mail"} 3',
        'sluice_store_key_usage{sluice_store="main",sluice_store_part="memory"} 1',
        'sluice_config_faults_total 0',
      ]),
    );
    expect(page).toContain(
      '# HELP sluice_decisions_total Decisions of limiters\n# TYPE sluice_decisions_total counter\n',
    );
    expect(page).toContain('# TYPE sluice_breaker_open gauge\n');
  });

  it('names the series of an OpenMetrics registry once with _total', async () => {
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    await createQueue(store).consume({});

    for (let scrape = 0; scrape < 2; scrape += 1) {
      const page = await registry.metrics();
      expect(page).toContain('# TYPE sluice_decisions counter\n');
      expect(page).toContain('sluice_decisions_total{sluice_reason="ok",sluice_source="memory"} 1\n');
    }
  });

  it('takes the default labels of the registry', async () => {
    registry.setDefaultLabels({ app: 'shop' });

    expect(await registry.metrics()).toContain('sluice_config_faults_total{app="shop"} 0');
  });

  it('adds up the processes of a cluster, and takes the highest limit', async () => {
    await createQueue(store).consume({});
    const worker = await registry.getMetricsAsJSON();

    const page = await AggregatorRegistry.aggregate([worker, structuredClone(worker)]).metrics();

    expect(samplesOf(page)).toEqual(
      expect.arrayContaining([
        'sluice_decisions_total{sluice_reason="ok",sluice_source="memory"} 2',
        'sluice_tier_units_total{sluice_tier="mail"} 2',
        'sluice_tier_limit{sluice_tier="mail"} 10',
      ]),
    );
  });

  it('keeps its numbers when the registry resets its metrics', async () => {
    await createQueue(store).consume({});
    registry.resetMetrics();

    expect(await registry.metrics()).toContain('sluice_tier_units_total{sluice_tier="mail"} 1');
  });

  it('leaves the other metrics of the registry alone when it stops', async () => {
    registry.registerMetric(new Counter({ name: 'other', help: 'another', registers: [] }));

    stop();

    expect(samplesOf(await registry.metrics())).toEqual([]);
    expect(await registry.metrics()).toContain('other 0');
  });

  it('stops once, and leaves the metrics of another call alone', async () => {
    stop();
    const stopAnother = exposeMetrics(registry);
    stop();

    expect(await registry.metrics()).toContain('sluice_decisions_total');
    stopAnother();
    expect(samplesOf(await registry.metrics())).toEqual([]);
  });

  it('throws for a registry that has these metrics, and leaves those there', async () => {
    expect(() => exposeMetrics(registry)).toThrow('sluice_decisions_total has already been registered');

    expect(await registry.metrics()).toContain('sluice_decisions_total');
  });
});

describe('exposeMetrics', () => {
  it.each([[undefined], [{ stores: {} }]])('rejects %j instead of a registry', (registry) => {
    const message = 'exposeMetrics: registry must be a registry of prom-client: write exposeMetrics(register)';

    expect(() => exposeMetrics(registry as never)).toThrow(message);
  });

  it('takes the registry of either client without a cast', () => {
    const registries: MetricRegistry[] = [new promClient.Registry(), new successor.Registry()];

    expect(registries.map((registry) => exposeMetrics(registry)())).toEqual([undefined, undefined]);
  });
});
