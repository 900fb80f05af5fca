import { times } from './api.js';
import { firstEverywhere } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe.each(firstEverywhere)('%s, counting in %s', (example, place) => {
  const api = fresh.each(example, place);

  it('reports the units left of /public on each answer', async () => {
    const [first, second] = [await api().get('/public'), await api().get('/public')];

    expect(first.headers.get('x-ratelimit-limit')).toBe('100');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('99');
    expect(second.headers.get('x-ratelimit-remaining')).toBe('98');
    expect(second.headers.get('ratelimit-policy')).toBe('"address";q=100;w=60');
    expect(second.headers.get('ratelimit')).toMatch(/^"address";r=98;t=\d+$/);
  });

  it('charges a search five units of the budget of /public', async () => {
    const search = await api().get('/search?q=tea');
    const other = await api().get('/public');
    const statuses = await api().statuses(18, '/search');
    const denied = await api().get('/search');

    expect(await search.json()).toEqual({ query: 'tea', found: [] });
    expect(search.headers.get('x-ratelimit-remaining')).toBe('95');
    expect(other.headers.get('x-ratelimit-remaining')).toBe('94');
    expect(statuses).toEqual(times(18, 200));
    expect(denied.status).toBe(429);
    expect(denied.headers.get('retry-after')).toMatch(/^([1-5]?\d|6[01])$/);
    expect(denied.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await denied.json()).toMatchObject({ status: 429, 'violated-policies': ['address'] });
  });

  it('does not limit /health', async () => {
    const response = await api().get('/health');

    expect(await response.json()).toEqual({ healthy: true });
    expect([...response.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([]);
  });

  it('limits an API key by the plan of its account', async () => {
    const free = await api().statuses(7, '/items', { 'x-api-key': 'free-key' });
    const pro = await api().statuses(7, '/items', { 'x-api-key': 'pro-key' });

    expect(free).toEqual([...times(5, 200), 429, 429]);
    expect(pro).toEqual(times(7, 200));
  });

  it('decides together about the address, the account and a burst of the account', async () => {
    const response = await api().get('/items', { 'x-api-key': 'pro-key' });

    expect(response.headers.get('ratelimit-policy')).toBe(
      '"items-address";q=200;w=60, "items-pro";q=100;w=60, "items-pro-burst";q=20;w=2',
    );
    expect(await response.json()).toEqual({ plan: 'pro', items: [] });
  });

  it('charges requests with unknown keys to the address', async () => {
    const answers = await Promise.all(['one', 'two', 'three'].map((key) => api().get('/items', { 'x-api-key': key })));
    const none = await api().get('/items');

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(none.status).toBe(401);
    expect(none.headers.get('ratelimit')).toMatch(/^"items-address";r=196;/);
  });

  it('has one limit for all tokens of a user', async () => {
    const [one, other] = [await api().bearer('ada', 'lovelace'), await api().bearer('ada', 'lovelace')];
    const grace = await api().bearer('grace', 'hopper');

    const statuses = [...(await api().statuses(6, '/me', one)), ...(await api().statuses(6, '/me', other))];
    const answer = await api().get('/me', grace);

    expect(statuses).toEqual([...times(10, 200), 429, 429]);
    expect(await answer.json()).toEqual({ user: 'grace', plan: 'pro' });
  });

  it('rejects tokens that it did not sign, without counting them', async () => {
    const { authorization } = await api().bearer('ada', 'lovelace');
    const [, , signature] = authorization.split('.');
    const grace = Buffer.from('{"iss":"sluice-example","sub":"grace"}').toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const tokens = [`${none}.${grace}.`, authorization.replace(/\.[^.]+\./, `.${grace}.`), `a.b.${signature}`];

    const answers = await Promise.all([
      api().get('/me'),
      ...tokens.map((token) => api().get('/me', { authorization: `Bearer ${token.replace('Bearer ', '')}` })),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(times(4, 401));
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(times(4, null));
  });
});
