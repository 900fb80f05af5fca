import { createLimiter, memoryStore } from '@sluice/core';
import { exposeMetrics } from '@sluice/prometheus';
import { balance, creditsOf, endGrants, exportUsage, usage } from '@sluice/quotas';
import { Registry } from 'prom-client';
import { conditionOf, sluiceAlerts } from '../monitoring/alerts.js';
import { defaults } from '../monitoring/settings.js';
import { siteOpener } from '../support/site.js';
import { startPrometheus, type PrometheusServer } from './prometheus-server.js';

const HOUR = 3_600_000;
const NAMES = ['SluiceLowBalanceNotTaken', 'SluiceGrantsEnd', 'SluiceUsageExportOld'];
const alerts = sluiceAlerts(defaults).filter(({ name }) => NAMES.includes(name));

describe('Prometheus', () => {
  const open = siteOpener();
  const stops: (() => unknown)[] = [];

  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  /** Names of alerts whose condition holds, as often as a scrape tells it. */
  async function firing(prometheus: PrometheusServer): Promise<string[]> {
    await prometheus.scraped();
    await prometheus.scraped();
    const quiet = await prometheus.withoutData(alerts.map((alert) => [alert.name, conditionOf(alert)]));
    return NAMES.filter((name) => !quiet.includes(name));
  }

  it('alerts of a low balance that nobody has taken, of a grant that ends untouched, and of a sink that fails', async () => {
    let now = Date.now() - 6 * HOUR;
    const store = memoryStore({ clock: () => now });
    const key = (user: string) => user;
    const limiter = createLimiter<string>({
      store,
      tiers: [
        { name: 'month', key, algorithm: 'fixed-window', limit: 9, window: '1d', usage: usage() },
        { name: 'credits', key, algorithm: balance({ covers: ['month'], lowBalance: [5] }) },
        { name: 'given', key, algorithm: balance({ lowBalance: [5], onLowBalance: () => undefined }) },
      ],
    });
    const credits = creditsOf(limiter);
    await credits.credit('ada', 10, { id: 'bought', tier: 'credits' });
    await credits.credit('bob', 10, { id: 'given', tier: 'given', expiresAt: Date.now() + 1 });
    await credits.credit('ada', 20, { id: 'given', tier: 'given' });
    await limiter.consume('ada');
    const billing = exportUsage(store, { sink: () => Promise.reject(new Error('the billing service is away')) });
    const ends = endGrants(store);
    const registry = new Registry();
    stops.push(
      exposeMetrics(registry, { stores: { main: store } }),
      () => billing.close(),
      () => ends.close(),
    );
    const { port } = await open((_request, response) => void registry.metrics().then((page) => response.end(page)));
    const prometheus = await startPrometheus({ app: port });
    stops.push(() => prometheus.stop());

    const before = await firing(prometheus);
    for (let turn = 0; turn < 8; turn += 1) await limiter.consume('ada', { cost: 2 });
    const low = await firing(prometheus);
    now = Date.now() + 1_000;
    await ends.run();
    const ended = await firing(prometheus);
    const { problem } = await billing.run();
    const failed = await firing(prometheus);

    expect(before).toEqual([]);
    expect(low).toEqual(['SluiceLowBalanceNotTaken']);
    // What has happened once is over after some scrapes, and a sink that fails lasts.
    expect(ended.filter((name) => !low.includes(name))).toEqual(['SluiceGrantsEnd']);
    expect(problem).toBe('the sink has failed: the billing service is away');
    expect(failed).toContain('SluiceUsageExportOld');
    expect([...low, ...ended]).not.toContain('SluiceUsageExportOld');
  });
});
