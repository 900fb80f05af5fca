import { instruments, prometheusName } from '@sluice/metrics';
import { by, createLimiter, memoryStore, rateLimit, type Store } from '@sluice/express';
import { exposeMetrics } from '@sluice/prometheus';
import express, { type Request } from 'express';
import { Registry } from 'prom-client';
import { startPrometheus, type Sample } from './prometheus-server.js';
import { promtool } from './promtool.js';
import { withRedisStore } from '../support/redis-store.js';
import { siteOpener, type Site } from '../support/site.js';
import { countsOf, Sightings } from './sightings.js';

/** Longer than any run, so that no unit comes back. */
const window = '30d';
const USERS = Array.from({ length: 40 }, (_, index) => `user-${index}`);
const HEAVY = 'user-with-most-denials';
const PARTNER = 'user-that-is-watched';

describe('A real Prometheus', () => {
  const redis = withRedisStore(({ store }) => store.ready());
  const open = siteOpener();

  it('has scraped what clients saw in 2 121 responses, from a page that promtool accepts', async () => {
    let now = 0;
    const local = memoryStore();
    const { app, pages } = createApp(redis.store, local);
    const registry = new Registry();
    const watch = [{ name: 'partner', limiter: pages, identity: { kind: 'user', parts: [PARTNER] } }];
    const end = exposeMetrics(registry, { stores: { main: redis.store, local }, top: 1, watch, clock: () => now });
    app.get('/metrics', async (_request, response) => void response.end(await registry.metrics()));
    const site = await open(app);
    const prometheus = await startPrometheus({ shop: site.port });
    await redis.client.config('RESETSTAT');

    const heavy = await visit(site, '/items', [HEAVY], 120);
    const items = await visit(site, '/items', USERS, 40);
    const exports = await visit(site, '/exports', USERS, 2);
    const logins = await visit(site, '/logins', USERS, 3);
    const mails = await visit(site, '/mails', USERS, 2);
    const full = await visit(site, '/pages', USERS, 3);
    const half = await visit(site, '/pages', [PARTNER], 1);
    now = 5_000; // The partner is looked at again.
    const scriptCalls = scriptCallsIn(await redis.client.info('commandstats'));
    await prometheus.scraped();
    const samples = await prometheus.query('{__name__=~"sluice_.+"}');
    await prometheus.stop();
    const page = (await site.send({ path: '/metrics' })).text;
    end();

    const onRedis = [heavy, items, exports, logins];
    const inMemory = [mails, full, half];
    const all = [...onRedis, ...inMemory];
    expect(sum(all.map(({ responses }) => responses.length))).toBe(2_121);
    // How long calls took, and how many requests shared one, is not for a client to see: only their sums are.
    const isCall = ([name]: [string, number]) => name.startsWith('sluice_call_');
    const series = samples.map(seriesOf);
    const calls = Object.fromEntries(series.filter(isCall));
    expect(calls).toMatchObject({
      'sluice_call_duration_seconds_count{sluice_call_outcome="answered"}': scriptCalls,
      'sluice_call_duration_seconds_bucket{le="+Inf",sluice_call_outcome="answered"}': scriptCalls,
      'sluice_call_duration_seconds_count{sluice_call_outcome="late"}': 0,
      'sluice_call_duration_seconds_count{error_type="_OTHER",sluice_call_outcome="failed"}': 0,
      'sluice_call_requests_count{}': scriptCalls,
      'sluice_call_requests_sum{}': sum(onRedis.map(({ responses }) => responses.length)),
    });
    // Refunds are calls without a request. Those of one turn share a call.
    const refundCalls = calls['sluice_call_requests_bucket{le="0"}'];
    expect(refundCalls).toBeGreaterThan(0);
    expect(refundCalls).toBeLessThanOrEqual(logins.admitted);
    expect(withoutZeros(Object.fromEntries(series.filter((each) => !isCall(each))))).toEqual(
      withoutZeros({
        ...countsOf([
          ...onRedis.flatMap((each) => each.decisions('redis')),
          ...inMemory.flatMap((each) => each.decisions('memory')),
          ...all.flatMap((each) => each.outcomes()),
        ]),
        // Of the tier in shadow mode clients see nothing: it has room for ten items of a user, and for no export.
        ...forEach('sluice_tier_outcomes_total{sluice_outcome="*",sluice_shadow="true",sluice_tier="trial"}', {
          within: 41 * 7,
          near: 41 * 3,
          over: items.responses.length + heavy.responses.length - 41 * 10,
          never: exports.responses.length,
        }),
        ...forEach('sluice_tier_units_total{sluice_tier="*"}', {
          user: heavy.admitted + items.admitted,
          tenant: heavy.admitted + items.admitted,
          trial: 41 * 10,
          login: logins.admitted,
          mail: mails.admitted,
          page: full.admitted + half.admitted,
        }),
        'sluice_refund_units_total{}': logins.admitted,
        ...mails.delays('mail'),
        ...forEach('sluice_tier_limit{sluice_tier="*"}', { user: 30, tenant: 1_150, trial: 10, login: 2, page: 2 }),
        'sluice_store_key_limit{sluice_store="local",sluice_store_part="memory"}': 100_000,
        'sluice_store_key_usage{sluice_store="local",sluice_store_part="memory"}': USERS.length + 1,
        ...forEach('sluice_store_key_limit{sluice_store="main",sluice_store_part="*"}', {
          local: 100_000,
          lease: 10_000,
          'deny-cache': 65_536,
        }),
        ...forEach('sluice_top_share_ratio{sluice_rank="1",sluice_tier="*"}', {
          user: heavy.denials('user') / sum(onRedis.map((each) => each.denials('user'))),
          tenant: 1,
          page: 1 / 40,
        }),
        'sluice_watched_utilization_ratio{sluice_tier="page",sluice_watched="partner"}': 0.5,
      }),
    );
    expect(promtool(['check', 'metrics'], page)).toEqual({ code: 0, text: '' });
    // This application has no policies: monitoring.long.spec.ts has some.
    for (const instrument of instruments) {
      const isOfPolicies = instrument.name.startsWith('sluice.policies.');
      expect(page.includes(`# TYPE ${prometheusName(instrument)} `)).toBe(!isOfPolicies);
    }
  });
});

function createApp(store: Store, local: Store) {
  const app = express();
  const key = by('user', (request: Request) => request.get('x-user'));
  const headers = ['draft-11'] as const;
  const items = createLimiter<Request>({
    store,
    // A cached denial would not ask the tier in shadow mode.
    denyCache: false,
    tiers: [
      { name: 'user', key, limit: 30, window },
      { name: 'tenant', key: () => 'all', limit: 1_150, window },
      { name: 'trial', key, limit: 10, window, mode: 'shadow' },
    ],
  });
  const pages = createLimiter<Request>({ store: local, name: 'page', key, limit: 2, window });
  const login = { store, name: 'login', key, limit: 2, window, refundWhen: (status: number) => status < 300 };
  const mail = {
    name: 'mail',
    key: () => 'all',
    algorithm: 'leaky-bucket',
    limit: 200,
    window: '1s',
    queue: 99,
  } as const;

  app.get('/items', rateLimit({ limiter: items, headers }));
  app.get('/exports', rateLimit({ limiter: items, headers, cost: 31 }));
  app.get('/logins', rateLimit({ ...login, headers }));
  app.get('/mails', rateLimit({ ...mail, headers }));
  app.get('/pages', rateLimit({ limiter: pages, headers }));
  app.use((request, response, next) => {
    if (request.rateLimit) response.json(request.rateLimit.delay);
    else next();
  });
  return { app, pages };
}

/** All users at once, each with one request after the other. */
async function visit(site: Site, path: string, users: readonly string[], times: number): Promise<Sightings> {
  const visits = users.map((user) => site.sendTimes(times, { path, headers: { 'x-user': user } }));
  return new Sightings((await Promise.all(visits)).flat());
}

function seriesOf({ labels, value }: Sample): [name: string, value: number] {
  const { __name__: name, job: _job, instance: _instance, ...others } = labels;
  const pairs = Object.entries(others).map(([label, text]) => `${label}="${text}"`);
  return [`${name}{${pairs.toSorted().join(',')}}`, value];
}

/** Numbers of series whose names differ in one label. */
function forEach(name: string, numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([label, value]) => [name.replace('*', label), value]));
}

function withoutZeros(numbers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** A call goes by the text of its script, by its SHA-1, or by the text after the server did not know the SHA-1. */
function scriptCallsIn(statistics: string): number {
  const count = (command: string, name: string) =>
    Number(new RegExp(`^cmdstat_${command}:.*\\b${name}=(\\d+)`, 'm').exec(statistics)?.[1] ?? 0);
  return count('eval', 'calls') + count('evalsha', 'calls') - count('evalsha', 'failed_calls');
}
