import { metrics } from '@opentelemetry/api';
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { createLimiter, memoryStore, type Store } from '@sluice/core';
import {
  collectMetrics,
  prometheusLabel,
  prometheusName,
  type Instrument,
  type Metrics,
  type MetricsOptions,
  type Point,
} from '@sluice/metrics';
import { startMetrics } from '@sluice/opentelemetry';
import { withRedisStore, type RedisWithStore } from '../support/redis-store.js';
import { warningCatcher } from '../support/warnings.js';

/** Series of a page of Prometheus, without the labels of the SDK. */
type Page = Record<string, number>;

describe('startMetrics, read by the exporter for Prometheus', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  let exporter: PrometheusExporter;
  let provider: MeterProvider;

  beforeEach(() => {
    exporter = new PrometheusExporter({ preventServerStart: true });
    provider = new MeterProvider({ readers: [exporter] });
    metrics.setGlobalMeterProvider(provider);
  });

  afterEach(async () => {
    metrics.disable();
    await provider.shutdown();
  });

  async function page(): Promise<Page> {
    const { resourceMetrics, errors } = await exporter.collect();
    expect(errors).toEqual([]);
    return seriesOf(new PrometheusSerializer('', false, undefined, true, true).serialize(resourceMetrics));
  }

  it('has the numbers of the collector, under the names of the exporter', async () => {
    const local = memoryStore();
    const options: MetricsOptions = { stores: { main: redis.store, local }, top: 2, clock: () => 0 };
    const stop = startMetrics(options);
    const collected = collectMetrics(options);
    await traffic(redis, local);

    const shown = await page();
    const expected = await seriesOfCollector(collected);
    stop();
    collected.stop();

    expect(shown).toEqual(expected);
    expect(Object.values(shown).filter((value) => value > 0).length).toBeGreaterThan(30);
  });

  it('has zeros from the start, and no number of a request after its end', async () => {
    const stop = startMetrics({ stores: { main: redis.store } });
    const before = await page();
    stop();
    await createLimiter({ store: redis.store, name: 'later', key: () => 'ada', limit: 5, window: '1h' }).consume({});

    expect(before['sluice_decisions_total{sluice_reason="denied",sluice_source="redis"}']).toBe(0);
    expect(before['sluice_config_faults_total']).toBe(0);
    expect(await page()).toEqual(before);
  });
});

describe('startMetrics without an SDK', () => {
  const warnings = warningCatcher();

  it('warns', () => {
    startMetrics()();

    expect(warnings().map(([code]) => code)).toEqual(['SLUICE_NO_METER_PROVIDER']);
  });
});

/** Requests of all kinds: allowed, denied, never, delayed, leased, refunded and without a store. */
async function traffic(redis: RedisWithStore, local: Store): Promise<void> {
  const key = ({ user }: { user: string }) => user;
  const limiters = [redis.store, local].map((store) =>
    createLimiter({
      store,
      tiers: [
        { name: 'hour', key, limit: 5, window: '1h', algorithm: 'fixed-window' },
        { name: 'trial', key, limit: 2, window: '1m', mode: 'shadow' },
        { name: 'queue', key, limit: 200, window: '1s', algorithm: 'leaky-bucket', queue: 50 },
      ],
    }),
  );
  const lease = { units: 20, duration: '10s' } as const;
  const leased = createLimiter({ store: redis.store, name: 'leased', key, limit: 1e6, window: '1h', lease });
  for (const limiter of limiters) {
    await Promise.all(Array.from({ length: 40 }, (_, index) => limiter.consume({ user: `user-${index % 5}` })));
    await limiter.consume({ user: 'ada' }, { cost: 6 });
    await limiter.refund(await limiter.consume({ user: 'ada' }, { cost: 2 }));
  }
  for (let request = 0; request < 300; request += 1) await leased.consume({ user: 'ada' });
  await leased.close();
  await redis.client.config('SET', 'maxmemory', '1');
  await limiters[0]!.consume({ user: 'eve' });
  await redis.client.config('SET', 'maxmemory', '0');
}

/** The series of a page in the text format. */
function seriesOf(text: string): Page {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** The series that the exporter should show of a collector: it writes out no units. */
async function seriesOfCollector(collected: Metrics): Promise<Page> {
  const pages = collected.instruments.map(async (instrument) => {
    const name = prometheusName({ ...instrument, unit: '' });
    const points = await collected.points(instrument.name);
    return points.flatMap((point) => seriesOfPoint(name, instrument, point));
  });
  return Object.fromEntries((await Promise.all(pages)).flat());
}

function seriesOfPoint(name: string, { buckets = [] }: Instrument, { attributes, value }: Point): [string, number][] {
  const labels = Object.entries(attributes).map(([label, text]) => `${prometheusLabel(label)}="${text}"`);
  const series = (suffix: string, ...others: string[]) => {
    const all = [...labels, ...others];
    return `${name}${suffix}${all.length === 0 ? '' : `{${all.join()}}`}`;
  };
  if (typeof value === 'number') return [[series(''), value]];
  const count = value.counts.reduce((sum, each) => sum + each, 0);
  // Histograms of the API begin with their first value.
  if (count === 0) return [];
  const upTo = value.counts.map((_, index) => value.counts.slice(0, index + 1).reduce((sum, each) => sum + each, 0));
  return [
    [series('_count'), count],
    [series('_sum'), value.sum],
    ...upTo.map((sum, index): [string, number] => [series('_bucket', `le="${buckets[index] ?? '+Inf'}"`), sum]),
  ];
}
