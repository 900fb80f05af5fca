import type { State } from '@sluice/dashboard';
import { Api } from './api.js';
import { withProcesses } from './example-process.js';
import { examples } from './examples.js';

const { processes, redis } = withProcesses();
const [first, ...others] = examples as [(typeof examples)[number], ...typeof examples];
const OK = 'sluice_decisions_total{sluice_reason="ok"';
const DENIED = 'sluice_decisions_total{sluice_reason="denied"';
const ANSWERED = 'sluice_call_duration_seconds_count{sluice_call_outcome="answered"';

/** The numbers of a page of Prometheus, by series. */
class Metrics {
  readonly #series: ReadonlyMap<string, number>;

  constructor(page: string) {
    const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.#series = new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  }

  static async of(api: Api): Promise<Metrics> {
    return new Metrics(await (await api.get('/metrics')).text());
  }

  get(name: string): number | undefined {
    return this.#series.get(name);
  }

  sum(start: string): number {
    return [...this.#series].reduce((total, [name, value]) => (name.startsWith(start) ? total + value : total), 0);
  }

  /** Requests within, near and over the limit of a tier. */
  outcomes(tier: string): (number | undefined)[] {
    const of = `sluice_tier="${tier}",sluice_outcome=`;
    return ['within', 'near', 'over'].map((text) =>
      this.get(`sluice_tier_outcomes_total{${of}"${text}",sluice_shadow="false"}`),
    );
  }
}

/** What clients see, and the metrics before and after it. */
async function visited(api: Api) {
  const before = await Metrics.of(api);
  const seen = [
    ...(await api.statuses(30, '/public')),
    ...(await api.statuses(15, '/search')),
    ...(await api.statuses(7, '/items', { 'x-api-key': 'free-key' })),
  ];
  return { before, after: await Metrics.of(api), seen };
}

const count = (seen: readonly number[], status: number) => seen.filter((each) => each === status).length;

/** The metrics of the visits of `visited`. */
function expectMetrics({ before, after, seen }: Awaited<ReturnType<typeof visited>>): void {
  expect([after.sum(OK), after.sum(DENIED)]).toEqual([count(seen, 200), count(seen, 429)]);
  expect([after.outcomes('address'), after.outcomes('items-free')]).toEqual([
    [39, 5, 1],
    [3, 2, 2],
  ]);
  expect(before.get('sluice_tier_units_total{sluice_tier="address"}')).toBe(0);
  expect(after.get('sluice_tier_units_total{sluice_tier="address"}')).toBe(100);
  expect(after.get('sluice_tier_units_total{sluice_tier="items-address"}')).toBe(5);
  expect(after.get('sluice_tier_limit{sluice_tier="address"}')).toBe(100);
  expect(after.get('sluice_top_share_ratio{sluice_tier="items-free",sluice_rank="1"}')).toBe(1);
  expect(after.sum('sluice_degraded_operations_total')).toBe(0);
}

/** Opens the dashboard of an example by the link that it has printed. */
async function openDashboard(api: Api, greeting: string) {
  const [, link = ''] = /(\/sluice\/\?token=\S+)/.exec(greeting) ?? [];
  const opened = await fetch(api.url + link, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  const page = await api.get('/sluice/', { cookie });
  const state = (await (await api.get('/sluice/api/state', { cookie })).json()) as State;
  return { opened, page, state };
}

describe('The metrics and the dashboard', () => {
  it(`of ${first.name} on Redis are what its clients saw`, async () => {
    const started = await processes.start(first, { DASHBOARD: '1', METRICS: '1', REDIS_URL: redis().url });
    const api = new Api(started);
    const closed = await api.get('/sluice/');
    const visits = await visited(api);
    const { state } = await openDashboard(api, started.greeting);

    expect(closed.status).toBe(404);
    expectMetrics(visits);
    expect(visits.after.sum(ANSWERED)).toBeGreaterThan(0);
    expect([state.decisions.ok, state.decisions.denied]).toEqual([count(visits.seen, 200), count(visits.seen, 429)]);
  });

  it(`of ${first.name} with an empty REDIS_URL are of its memory`, async () => {
    const started = await processes.start(first, { DASHBOARD: '1', METRICS: '1', REDIS_URL: '' });
    const visits = await visited(new Api(started));

    expect(started.greeting).toContain('counting in memory');
    expect(started.greeting).toContain('/sluice/?token=');
    expectMetrics(visits);
    expect(visits.after.sum(ANSWERED)).toBe(0);
  });

  it.each(others.map((example) => [example.name, example] as const))(
    'of %s are what its clients saw, and do not count themselves',
    async (_name, example) => {
      const started = await processes.start(example, { DASHBOARD: '1', METRICS: '1', REDIS_URL: redis().url });
      const api = new Api(started);
      const closed = await api.get('/sluice/');
      const seen = await api.statuses(7, '/items', { 'x-api-key': 'free-key' });
      const { opened, page, state } = await openDashboard(api, started.greeting);
      const metrics = await Metrics.of(api);

      expect([closed.status, opened.status]).toEqual([404, 303]);
      expect([page.status, page.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
      expect([state.decisions.ok, state.decisions.denied]).toEqual([count(seen, 200), count(seen, 429)]);
      expect(state.readOnly).toBe(true);
      expect(metrics.sum(DENIED)).toBe(state.decisions.denied);
    },
  );
});
