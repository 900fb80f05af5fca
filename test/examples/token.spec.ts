import { times } from './api.js';
import { everywhere } from './examples.js';
import { freshApis } from './fresh-api.js';

const fresh = freshApis();

describe.each(everywhere)('Users of %s, counted in %s,', (example, place) => {
  const api = fresh.each(example, place);

  it('have one limit, with whichever token', async () => {
    const [one, other] = [await api().bearer('ada', 'lovelace'), await api().bearer('ada', 'lovelace')];
    const grace = await api().bearer('grace', 'hopper');

    const statuses = [...(await api().statuses(6, '/me', one)), ...(await api().statuses(6, '/me', other))];
    const hers = await api().get('/me', grace);

    expect(statuses).toEqual([...times(10, 200), 429, 429]);
    expect(await hers.json()).toEqual({ user: 'grace', plan: 'pro' });
  });

  it('need a token that it has signed', async () => {
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
