import { times, type Api } from './api.js';
import { everywhere, examples, type Place } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe.each(everywhere)('The routes of %s, counted in %s,', (example, place) => {
  const api = fresh.each(example, place);

  it('tell on every answer what is left', async () => {
    const first = await api().get('/public');
    const second = await api().get('/public');

    expect(first.headers.get('x-ratelimit-limit')).toBe('100');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('99');
    expect(second.headers.get('x-ratelimit-remaining')).toBe('98');
    expect(second.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60');
    expect(second.headers.get('ratelimit')).toMatch(/^"address";r=98;t=\d+$/);
  });

  it('take five of the public budget for a search', async () => {
    const search = await api().get('/search?q=tea');
    const other = await api().get('/public');

    expect(await search.json()).toEqual({ query: 'tea', found: [] });
    expect(search.headers.get('x-ratelimit-remaining')).toBe('95');
    expect(other.headers.get('x-ratelimit-remaining')).toBe('94');
  });

  it('deny what is too much, and say when to come back', async () => {
    const statuses = await api().statuses(20, '/search');
    const denied = await api().get('/search');

    expect(statuses).toEqual(times(20, 200));
    expect(denied.status).toBe(429);
    expect(denied.headers.get('retry-after')).toMatch(/^([1-5]?\d|6[01])$/);
    expect(denied.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await denied.json()).toMatchObject({ status: 429, 'violated-policies': ['address'] });
  });

  it('answer without a limit whether they are well', async () => {
    const response = await api().get('/health');

    expect(await response.json()).toEqual({ healthy: true });
    expect([...response.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('The reports of an example', () => {
  it.each<Place>(['memory', 'Redis'])('are made one a second in %s, while three wait for their turn', async (place) => {
    // Those in Redis have one queue, so that they take turns as well.
    const groups = place === 'Redis' ? [examples] : examples.map((example) => [example]);
    const apis = new Map<string, Api>();
    for (const { name } of examples) apis.set(name, await fresh.open(name, place));

    const answers = await Promise.all(groups.map((group) => sixReports(group.map(({ name }) => apis.get(name)!))));

    for (const { denied, made } of answers) {
      expect(denied).toBe(2);
      expect(made).toHaveLength(4);
      for (const [turn, after] of made.entries()) expect(after).toBeGreaterThan(turn * 1000 - 50);
    }
  });
});

/** Asks APIs for six reports at once, one after the other, and tells when those that were made came, in milliseconds. */
async function sixReports(apis: readonly Api[]): Promise<{ denied: number; made: number[] }> {
  const began = performance.now();
  const answers = await Promise.all(
    times(6, '/report').map(async (path, index) => {
      const { status } = await apis[index % apis.length]!.get(path);
      return { status, after: performance.now() - began };
    }),
  );
  const made = answers.filter(({ status }) => status === 200).map(({ after }) => after);
  return {
    denied: answers.filter(({ status }) => status === 429).length,
    made: made.toSorted((one, other) => one - other),
  };
}
