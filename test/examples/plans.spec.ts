import { times } from './api.js';
import { everywhere } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe.each(everywhere)('The plans of %s, counted in %s,', (example, place) => {
  const api = fresh.each(example, place);

  it('limit an API key by the plan of its holder', async () => {
    const free = await api().statuses(7, '/items', { 'x-api-key': 'free-key' });
    const pro = await api().statuses(7, '/items', { 'x-api-key': 'pro-key' });

    expect(free).toEqual([...times(5, 200), 429, 429]);
    expect(pro).toEqual(times(7, 200));
  });

  it('decide together about an address, a key, and a burst of it', async () => {
    const response = await api().get('/items', { 'x-api-key': 'pro-key' });

    expect(response.headers.get('ratelimit-policy')).toBe(
      '"items-address";q=200;w=60, "items-pro";q=100;w=60, "items-pro-burst";q=20;w=2',
    );
    expect(await response.json()).toEqual({ plan: 'pro', items: [] });
  });

  it('have the address pay for keys that are made up', async () => {
    const answers = await Promise.all(['one', 'two', 'three'].map((key) => api().get('/items', { 'x-api-key': key })));
    const none = await api().get('/items');

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(none.status).toBe(401);
    expect(none.headers.get('ratelimit')).toMatch(/^"items-address";r=196;/);
  });
});
