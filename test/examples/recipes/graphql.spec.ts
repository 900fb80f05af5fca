import { limiter } from '../../../examples/recipes/graphql-cost.js';
import { server as apollo, start } from '../../../examples/recipes/apollo-server.js';
import { server as yoga } from '../../../examples/recipes/yoga.js';
import { forged, post } from '../../docs/attacks/requests.js';
import { statusesOf } from '../../support/responses.js';
import { closeServer, listen, siteAt, type Site } from '../../support/site.js';

const CLIENT = { ip: '127.0.0.1' };
const left = async () => (await limiter.peek(CLIENT, { cost: 0 })).binding!.remaining;

describe.each([
  ['yoga', async () => siteAt(await listen(yoga), () => closeServer(yoga)), '/graphql'],
  [
    'apollo-server',
    async () => {
      const { url } = await start(0);
      return siteAt({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => apollo.stop());
    },
    '/',
  ],
])('the recipe %s', (_name, open, path) => {
  let site: Site;
  const ask = (query: string, more: object = {}) => post({ query, ...more }, path);
  const costOf = async (query: string, more?: object) => {
    const before = await left();
    const { status } = await site.send(ask(query, more));
    return { status, cost: before - (await left()) };
  };

  beforeAll(async () => {
    site = await open();
  });

  beforeEach(() => limiter.reset(CLIENT));

  afterAll(() => site.close());

  it('denies by 429 and Retry-After when the complexity of a minute is used up', async () => {
    const query = '{ products(first: 400) { name } }';

    const answers = await site.sendTimes(3, ask(query));

    expect(statusesOf(answers)).toEqual([200, 200, 429]);
    expect(answers[2]!.headers['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(answers[2]!.text)).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  });

  it('answers 422 for a query that costs more than the limit, and charges nothing', async () => {
    expect(await costOf('{ products(first: 2147483647) { name } }')).toEqual({ status: 422, cost: 0 });
    const nested = `${'related(first: 2147483647) { '.repeat(40)}name${' }'.repeat(40)}`;
    expect(await costOf(`{ products { ${nested} } }`)).toEqual({ status: 422, cost: 0 });
  });

  it('refuses a list without its count, which could select all', async () => {
    const tries = [
      ask('{ products(first: null) { name } }'),
      ask('query ($n: Int) { products(first: $n) { name } }', { variables: { n: null } }),
    ];

    for (const { text } of await site.sendEach(tries)) {
      expect(text).toContain('"errors"');
      expect(text).not.toContain('"tea"');
    }
  });

  it.each([
    ['a type', 'query ($n: Int!) { products(first: $n) { name } }', 'abc'],
    [
      'a null beside an expensive list',
      'query ($n: Int) { all: products(first: 900) { name } none: products(first: $n) { name } }',
      null,
    ],
  ])('answers 400 for variables that do not fit: %s', async (_what, query, n) => {
    const { status, text } = await site.send(ask(query, { variables: { n } }));

    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(text).not.toContain('"tea"');
  });

  it.each([
    ['an alias', '{ a: products(first: 50) { name } b: products(first: 50) { name } }', {}, 102],
    ['a fragment', 'fragment F on Query { products(first: 50) { name } } { ...F x: __typename }', {}, 51],
    ['a variable', 'query ($n: Int) { products(first: $n) { name } }', { variables: { n: 50 } }, 51],
    ['the default of a variable', 'query ($n: Int = 50) { products(first: $n) { name } }', {}, 51],
    ['the default of the schema', '{ products { name } }', {}, 11],
    ['a count below 1', '{ products(first: -900) { name } }', {}, 2],
    ['nothing but its type', '{ __typename }', {}, 1],
    [
      'the expensive one of two operations',
      'query A { __typename } query B { products(first: 50) { name } }',
      { operationName: 'B' },
      51,
    ],
  ])('charges %s', async (_what, query, more, expected) => {
    const { status, cost } = await costOf(query, more);

    expect(status).toBe(200);
    expect(cost).toBeGreaterThanOrEqual(expected);
    expect(cost).toBeLessThanOrEqual(expected + 1);
  });

  it('admits two of ten queries that a client sends at the same time, by GET, in a batch or from forged addresses', async () => {
    const query = '{ products(first: 400) { name } }';
    const tries = [
      post([{ query }, { query }], path),
      { path: `${path}?query=${encodeURIComponent(query)}`, headers: { 'apollo-require-preflight': 'yes' } },
      ...forged(path).map(({ headers = {} }) => post({ query }, path, headers as Record<string, string>)),
    ];

    const answers = await Promise.all(tries.map((each) => site.send(each)));

    expect(answers.filter(({ text }) => text.includes('"tea"'))).toHaveLength(2);
  });
});
