import { entriesOf } from './rate-limit-client.js';
import { withServers } from './with-server.js';

const LIMITS = `
version: 1
limiters:
  api:
    tiers:
      - name: shared
        key: tenant
        algorithm: token-bucket
        limit: 24
        window: 1d
        burst: 10
        line: { longest: 2d, by: worker }
extensions:
  server:
    identities: [tenant, worker]
    descriptors:
      - { tier: shared, from: [tenant, worker] }
      - { tier: shared, from: [tenant] }
`;
const HOUR = 3_600;

describe('The service, for a tier with a line,', () => {
  const start = withServers();
  const entries = (worker: string) => entriesOf({ tenant: 'acme', worker });

  it('tells each program a moment of its own, and each caller the same one again', async () => {
    const { post } = await start(LIMITS);
    const check = (worker: string, cost = 1) =>
      post('/check', { limiter: 'api', request: {}, identities: { tenant: 'acme', worker }, cost });
    await check('zero', 10);

    const answers = [await check('ada'), await check('bob'), await check('ada')];

    const told = answers.map(({ headers }) => Math.round(Number(headers.get('retry-after')) / HOUR));
    const fits = answers.map(({ body }) => Math.round(Number(body['fits-after']) / HOUR));
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
    expect([told, fits]).toEqual([
      [1, 2, 1],
      [1, 1, 1],
    ]);
  });

  it.each([
    ['by an entry with the name of its callers', {}],
    ['with a cost of the descriptor', { hits_addend: { value: 2 } }],
    ['with a limit of the descriptor', { limit: { requests_per_unit: 24, unit: 'UNIT_DAY' } }],
  ])('knows the callers of Envoy, %s', async (_how, fields) => {
    const { client } = await start(LIMITS);
    const send = async (worker: string, more: object = fields) => {
      const { statuses } = await client.send({
        domain: 'api',
        descriptors: [{ entries: entries(worker), ...more }],
      });
      return statuses[0]!;
    };
    await send('zero', { hits_addend: { value: 10 } });

    const told = [await send('ada'), await send('bob'), await send('ada')];

    const [first, second, again] = told.map(({ duration_until_reset: wait }) => Math.round(wait!.seconds / HOUR));
    expect(told.map(({ code }) => code)).toEqual(['OVER_LIMIT', 'OVER_LIMIT', 'OVER_LIMIT']);
    expect([second! > first!, again]).toEqual([true, first]);
  });

  it('refuses a request that does not say who calls, with what is missing', async () => {
    const { client, post } = await start(LIMITS);

    const refused = await post('/check', { limiter: 'api', request: {}, identities: { tenant: 'acme' } });

    expect([refused.status, refused.body['detail']]).toEqual([400, expect.stringContaining('identities.worker')]);
    await expect(client.check('api', { tenant: 'acme' })).rejects.toThrow('identities.worker is missing');
  });
});
