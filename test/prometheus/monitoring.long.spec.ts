import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memoryStore } from '@sluice/http';
import { redisStore } from '@sluice/redis';
import { exposeMetrics } from '@sluice/prometheus';
import { Redis } from 'ioredis';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { root } from '../../scripts/root.mjs';
import { ExampleProcesses } from '../examples/example-process.js';
import { examples } from '../examples/examples.js';
import { conditionOf, redisAlerts, sluiceAlerts } from '../monitoring/alerts.js';
import { defaults } from '../monitoring/settings.js';
import { openEveryFeature, overload } from './every-feature.js';
import { startRedis, type RedisServer } from '../support/redis.js';
import { siteOpener } from '../support/site.js';
import { until } from '../support/until.js';
import { startPrometheus, type PrometheusServer } from './prometheus-server.js';
import { alertQueries, panelQueries } from './queries.js';
import { promtool } from './promtool.js';
import { startRedisExporter } from './redis-exporter.js';
import { Traffic } from './traffic.js';

const dashboard = readFileSync(join(root, 'monitoring', 'sluice-dashboard.json'), 'utf8');
const alerts = [...sluiceAlerts(defaults), ...redisAlerts];

describe('Prometheus', () => {
  const open = siteOpener();
  const processes = new ExampleProcesses();
  const stops: (() => Promise<unknown>)[] = [() => processes.stop()];
  let redis: RedisServer;
  let prometheus: PrometheusServer;

  /** An application with what the example does not have: a shadow tier, permits, credits, a list, policies, a shedder, and an identity to watch. */
  async function openSecondApplication(): Promise<number> {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const store = memoryStore();
    const shared = redisStore({ url: redis.url });
    const features = await openEveryFeature({ store, shared });
    const stop = exposeMetrics(registry, { stores: { main: store, shared }, ...features.measured });
    // Quantiles are of what was told between two scrapes.
    const workers = setInterval(() => void features.use(), 10);
    stops.push(async () => {
      clearInterval(workers);
      stop();
      await features.stop();
      await shared.close();
    });
    for (let request = 0; request < 5; request += 1) await features.limiter.consume({});
    await overload();
    const { port } = await open((_request, response) => void registry.metrics().then((page) => response.end(page)));
    return port;
  }

  async function openRedisWithReplica(): Promise<number> {
    redis = await startRedis({ args: ['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction'] });
    const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', String(redis.port)] });
    const exporter = await startRedisExporter(redis.url);
    stops.push(
      () => replica.stop(),
      () => exporter.stop(),
      () => redis.stop(),
    );
    return exporter.port;
  }

  /** The alerts that would wake a person up if this went on. */
  async function pages(): Promise<string[]> {
    const paged = alerts.filter(({ severity }) => severity === 'page');
    const quiet = await prometheus.withoutData(paged.map((alert) => [alert.name, conditionOf(alert)]));
    return paged.map(({ name }) => name).filter((name) => !quiet.includes(name));
  }

  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  it('has data for each panel and alert, and the numbers that clients have seen', async () => {
    const redisPort = await openRedisWithReplica();
    const environment = { METRICS: '1', REDIS_URL: redis.url, REDIS_DEADLINE: '500ms' };
    const example = await processes.start(examples[0]!, environment);
    const second = await openSecondApplication();
    prometheus = await startPrometheus({ example: Number(new URL(example.url).port), second, redis: redisPort });
    stops.push(() => prometheus.stop());

    const traffic = new Traffic(example.url);
    stops.push(() => traffic.stop());
    for (let scrape = 0; scrape < 8; scrape += 1) await prometheus.scraped();
    const emptyPanels = await prometheus.withoutData(panelQueries(dashboard));
    const emptyAlerts = await prometheus.withoutData(alertQueries(alerts));
    const pagesBefore = await pages();
    await until(() => traffic.answers > 150);
    await traffic.stop();
    await prometheus.scraped();
    const decisions = await prometheus.query('sum by (sluice_reason) (sluice_decisions_total{job="example"})');
    const checked = promtool(['check', 'metrics'], await (await fetch(`${example.url}/metrics`)).text());

    expect(emptyPanels).toEqual([]);
    expect(emptyAlerts).toEqual([]);
    expect(pagesBefore).toEqual([]);
    const counted = Object.fromEntries(decisions.map(({ labels, value }) => [labels['sluice_reason'], value]));
    const { seen } = traffic;
    expect(counted).toEqual({
      ok: (seen.get(200) ?? 0) + (seen.get(401) ?? 0),
      denied: seen.get(429),
      never: 0,
      unavailable: 0,
    });
    expect(checked).toEqual({ code: 0, text: '' });

    // A right that is missing, and then no server.
    const client = new Redis(redis.port);
    await client.acl('SETUSER', 'default', '-evalsha', '-eval');
    client.disconnect();
    const during = new Traffic(example.url);
    stops.push(() => during.stop());
    await until(async () => (await pages()).includes('SluiceConfigFault'));
    redis.process.kill('SIGKILL');
    for (let scrape = 0; scrape < 6; scrape += 1) await prometheus.scraped();
    const pagesDuring = await pages();
    await during.stop();

    expect(pagesDuring).toEqual(['SluiceUnavailable', 'SluiceDegraded']);
    expect(during.seen.get(503)).toBeGreaterThan(0);
  });
});
