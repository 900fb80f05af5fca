import type { State } from '@sluice/dashboard';
import { Api } from './api.js';
import { withProcesses } from './example-process.js';
import { examples } from './examples.js';

const { processes, redis } = withProcesses();

describe.each(examples.map((example) => [example.name, example] as const))('The dashboard of %s', (_name, example) => {
  it('shows what its clients saw, and does not count itself', async () => {
    const api = new Api(await processes.start(example, { DASHBOARD: '1', REDIS_URL: redis().url }));

    const seen = await api.statuses(7, '/items', { 'x-api-key': 'free-key' });
    const page = await api.get('/sluice/');
    const state = (await (await api.get('/sluice/api/state')).json()) as State;

    expect([page.status, page.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    expect(state.decisions.ok).toBe(seen.filter((status) => status === 200).length);
    expect(state.decisions.denied).toBe(seen.filter((status) => status === 429).length);
    expect(state.readOnly).toBe(false);
  });
});

describe('An example without DASHBOARD', () => {
  it('serves none', async () => {
    const api = new Api(await processes.start(examples[0]!));

    expect((await api.get('/sluice/')).status).toBe(404);
  });
});
