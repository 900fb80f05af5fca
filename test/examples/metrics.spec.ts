import { Redis } from 'ioredis';
import { Api } from './api.js';
import { withProcesses } from './example-process.js';
import { examples, firstEverywhere } from './examples.js';

const { processes, redis } = withProcesses();

beforeEach(async () => {
  const client = new Redis(redis().port);
  await client.flushall();
  client.disconnect();
});

/** The numbers of a page of Prometheus, by series. */
function seriesOf(page: string): Map<string, number> {
  const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

describe('The metrics', () => {
  it.each(firstEverywhere)('of %s are what its clients saw, counting in %s', async (of, place) => {
    const example = examples.find(({ name }) => name === of)!;
    const url = place === 'Redis' ? { REDIS_URL: redis().url } : {};
    const api = new Api(await processes.start(example, { METRICS: '1', ...url }));
    const page = async () => seriesOf(await (await api.get('/metrics')).text());
    const before = await page();

    const seen = [
      ...(await api.statuses(30, '/public')),
      ...(await api.statuses(15, '/search')),
      ...(await api.statuses(7, '/items', { 'x-api-key': 'free-key' })),
    ];
    const series = await page();

    const sum = (start: string) =>
      [...series].reduce((total, [name, value]) => (name.startsWith(start) ? total + value : total), 0);
    const tier = (name: string) => {
      const outcome = (text: string) =>
        `sluice_tier_outcomes_total{sluice_tier="${name}",sluice_outcome="${text}",sluice_shadow="false"}`;
      return ['within', 'near', 'over'].map((text) => series.get(outcome(text)));
    };
    expect(sum('sluice_decisions_total{sluice_reason="ok"')).toBe(seen.filter((status) => status === 200).length);
    expect(sum('sluice_decisions_total{sluice_reason="denied"')).toBe(seen.filter((status) => status === 429).length);
    expect(tier('address')).toEqual([39, 5, 1]);
    expect(tier('items-free')).toEqual([3, 2, 2]);
    expect(series.get('sluice_tier_units_total{sluice_tier="address"}')).toBe(100);
    expect(series.get('sluice_tier_units_total{sluice_tier="items-address"}')).toBe(5);
    expect(series.get('sluice_tier_limit{sluice_tier="address"}')).toBe(100);
    expect(series.get('sluice_top_share_ratio{sluice_tier="items-free",sluice_rank="1"}')).toBe(1);
    expect(sum('sluice_degraded_operations_total')).toBe(0);
    // One call of Redis for each request that no cache answers, and one for each warning that is looked into.
    const calls = sum('sluice_call_duration_seconds_count{sluice_call_outcome="answered"');
    expect(calls > 0).toBe(place === 'Redis');
    expect(before.get('sluice_tier_units_total{sluice_tier="address"}')).toBe(0);
  });
});

describe('An example without METRICS', () => {
  it('serves none', async () => {
    const api = new Api(await processes.start(examples[0]!));

    expect((await api.get('/metrics')).status).toBe(404);
  });
});
