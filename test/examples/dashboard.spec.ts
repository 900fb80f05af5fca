import type { State } from '@sluice/dashboard';
import { Api } from './api.js';
import { withProcesses } from './example-process.js';
import { examples } from './examples.js';

const { processes, redis } = withProcesses();

describe.each(examples.map((example) => [example.name, example] as const))('The dashboard of %s', (_name, example) => {
  it('shows what its clients saw, as its metrics do, and does not count itself', async () => {
    const started = await processes.start(example, { DASHBOARD: '1', METRICS: '1', REDIS_URL: redis().url });
    const api = new Api(started);
    const [, link = ''] = /(\/sluice\/\?token=\S+)/.exec(started.greeting) ?? [];

    const [closed, opened] = [await api.get('/sluice/'), await fetch(api.url + link, { redirect: 'manual' })];
    const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
    const seen = await api.statuses(7, '/items', { 'x-api-key': 'free-key' });
    const page = await api.get('/sluice/', { cookie });
    const metrics = await (await api.get('/metrics')).text();
    const state = (await (await api.get('/sluice/api/state', { cookie })).json()) as State;

    expect([closed.status, opened.status]).toEqual([404, 303]);
    expect([page.status, page.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    expect(state.decisions.ok).toBe(seen.filter((status) => status === 200).length);
    expect(state.decisions.denied).toBe(seen.filter((status) => status === 429).length);
    expect(state.readOnly).toBe(true);
    const counts = metrics.matchAll(/^sluice_decisions_total\{sluice_reason="denied"[^}]*\} (\d+)$/gm);
    expect([...counts].reduce((sum, [, count]) => sum + Number(count), 0)).toBe(state.decisions.denied);
  });
});

describe('The dashboard of an example with an empty REDIS_URL', () => {
  it('shows one process, whose limits are in memory', async () => {
    const { greeting } = await processes.start(examples[0]!, { DASHBOARD: '1', REDIS_URL: '' });

    expect(greeting).toContain('counting in memory');
    expect(greeting).toContain('/sluice/?token=');
  });
});

describe('An example without DASHBOARD', () => {
  it('serves none', async () => {
    const api = new Api(await processes.start(examples[0]!));

    expect((await api.get('/sluice/')).status).toBe(404);
  });
});
